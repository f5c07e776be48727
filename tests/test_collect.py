"""``ncuanalyze collect`` and ``sections``: the command that is printed, and what a run of it says. ncu is a script."""

import os
import shlex
import shutil
import stat
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ncuanalyze.cli.main import group
from ncuanalyze.collect import our_sections

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "fixtures" / "demo.ncu-rep.xz"
FAKE = r"""#!/bin/sh
# Stands for ncu: logs what FAKE_LOG says, writes the report unless FAKE_REPORT is empty, ends with FAKE_CODE.
if [ "$1" = --version ]; then echo "Version 2025.3.1.0 (build 1) (public-release)"; exit 0; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --log-file) log=$2; shift ;;
    --export) report=$2; shift ;;
  esac
  shift
done
[ -n "$FAKE_LOG" ] && printf '%b' "$FAKE_LOG" > "$log"
[ -n "$FAKE_REPORT" ] && cp "$FAKE_REPORT" "$report"
[ -n "$FAKE_SLEEP" ] && sleep "$FAKE_SLEEP"
exit ${FAKE_CODE:-0}
"""


@pytest.fixture
def ncu(tmp_path, monkeypatch):
    """A fake ncu on the PATH with a section folder beside it; the environment says what it does."""
    home = tmp_path / "nsight-compute"
    (home / "sections").mkdir(parents=True)
    script = home / "ncu"
    script.write_text(FAKE)
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{home}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    for name in ("FAKE_LOG", "FAKE_REPORT", "FAKE_SLEEP", "FAKE_CODE"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("FAKE_CODE", "0")
    return script


def collect(*words):
    return CliRunner().invoke(group, ["collect", *words], prog_name="ncuanalyze")


def command_of(result):
    assert result.exit_code == 0, result.stderr
    return shlex.split(result.stdout)


def values(words, option):
    return [words[index + 1] for index, word in enumerate(words) if word == option]


def test_the_whole_command(ncu):
    assert command_of(collect("--", "./a.out", "-n", "2 3")) == [
        str(ncu),
        *("--section-folder", str(ncu.parent / "sections")),
        *("--section-folder", str(our_sections())),
        *("--set", "ncuanalyze"),
        *("--clock-control", "base"),
        *("--cache-control", "all"),
        *("--replay-mode", "kernel"),
        *("--target-processes", "all"),
        *("--import-source", "yes"),
        *("--export", "a.ncu-rep"),
        *("./a.out", "-n", "2 3"),
    ]


@pytest.mark.parametrize(
    ("given", "option", "expected"),
    [
        (["--quick"], "--set", ["ncuanalyze-quick"]),
        (["--set", "full"], "--set", ["full"]),
        (["-k", "mat.*"], "--kernel-name", ["regex:mat.*"]),
        (["-k", "regex:mat.*"], "--kernel-name", ["regex:mat.*"]),
        (["--launch-skip", "3"], "--launch-skip", ["3"]),
        (["--launch-skip", "0"], "--launch-skip", []),
        (["--launch-count", "1"], "--launch-count", ["1"]),
        (["--nvtx-include", "a/", "--nvtx-include", "b/"], "--nvtx-include", ["a/", "b/"]),
        (["--clock", "none"], "--clock-control", ["none"]),
        (["--cache", "none"], "--cache-control", ["none"]),
        (["--replay", "application"], "--replay-mode", ["application"]),
        (["-o", "x.ncu-rep"], "--export", ["x.ncu-rep"]),
        (["--ncu-option=--profile-from-start", "--ncu-option=off"], "--profile-from-start", ["off"]),
    ],
)
def test_options_reach_ncu(ncu, given, option, expected):
    assert values(command_of(collect(*given, "--", "./a.out")), option) == expected


def test_flags_reach_ncu(ncu):
    assert "--nvtx" in command_of(collect("--nvtx", "--", "./a.out"))
    assert "--nvtx" in command_of(collect("--nvtx-include", "a/", "--", "./a.out"))
    assert "--force-overwrite" in command_of(collect("--force", "--", "./a.out"))


def test_the_report_is_named_after_the_script(ncu):
    assert values(command_of(collect("python", "train.py", "-k", "v")), "--export") == ["train.ncu-rep"]


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (["--", "./a.out"], ["Every launch is profiled"], ["Triton", "NCCL", "Clocks are not locked"]),
        (["-k", "x", "--", "./a.out"], [], ["Every launch", "Triton"]),
        (["--launch-count", "1", "--", "python3", "t.py"], ["TRITON_CACHE_AUTOTUNING=1"], ["NCCL"]),
        (["--", "torchrun", "t.py"], ["NCCL", "TRITON_CACHE_AUTOTUNING=1"], []),
        (["--", "mpirun", "-n", "2", "./a.out"], ["NCCL", "--replay application"], ["Triton"]),
        (["--clock", "none", "--", "./a.out"], ["Clocks are not locked"], []),
    ],
)
def test_advice_fits_the_program(ncu, words, said, unsaid):
    result = collect(*words)
    assert [text for text in said if text not in result.stderr] == []
    assert [text for text in unsaid if text in result.stderr] == []


def test_quick_and_set_exclude_each_other(ncu):
    result = collect("--quick", "--set", "full", "--", "./a.out")
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--clock", "foo"), "'foo' is not one of 'base', 'boost', 'force-boost', 'none'"),
        (("--set", "a b"), "--set: 'a b' is no name of a set"),
        (("--set", "--help"), "--set: '--help' is no name of a set"),
        (("--set", ""), "--set: '' is no name of a set"),
        (("-k", "("), "--kernel: '(' is no regular expression"),
        (("-k", "regex:("), "--kernel: '(' is no regular expression"),
    ],
)
def test_what_ncu_would_refuse_is_a_usage_mistake(ncu, words, says):
    result = collect(*words, "--", "./a.out")
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("words", ["--clock boost", "--set full", "--set my-set.2", "-k regex:^a|b"])
def test_what_ncu_takes_is_passed_on(ncu, words):
    assert words.split()[1] in command_of(collect(*words.split(), "--", "./a.out"))


def test_the_stock_folder_of_a_toolkit_is_the_one_of_the_same_version(ncu, tmp_path):
    """The toolkit's ncu is a wrapper in bin/; its versions lie beside."""
    toolkit = tmp_path / "cuda"
    (toolkit / "bin").mkdir(parents=True)
    shutil.copy(ncu, toolkit / "bin" / "ncu")
    for version in ("2024.1.1", "2025.3.1", "2025.10.0"):
        (toolkit / f"nsight-compute-{version}" / "sections").mkdir(parents=True)
    words = command_of(collect("--ncu", str(toolkit / "bin" / "ncu"), "--", "./a.out"))
    assert values(words, "--section-folder")[0] == str(toolkit / "nsight-compute-2025.3.1" / "sections")


def test_without_a_stock_folder_the_note_says_so(ncu):
    (ncu.parent / "sections").rmdir()
    result = collect("--", "./a.out")
    folders = values(command_of(result), "--section-folder")
    if len(folders) == 1:  # no Nsight Compute in a standard place of this machine either
        assert folders == [str(our_sections())]
        assert "--stock-sections DIR" in result.stderr
    other = ncu.parent / "other"
    other.mkdir()
    words = command_of(collect("--stock-sections", str(other), "--", "./a.out"))
    assert values(words, "--section-folder")[0] == str(other)


def test_without_ncu_the_command_is_for_another_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_of(collect("--", "./a.out"))[0] == "ncu"
    result = collect("--run", "--", "./a.out")
    assert result.exit_code == 1
    assert "ncu is not on the PATH" in result.stderr
    assert "--ncu /path/to/ncu" in result.stderr


def test_a_run_is_diagnosed(ncu, tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_LOG", "==PROF== Connected to process 1\\n==PROF== Report: a.ncu-rep\\n")
    monkeypatch.setenv("FAKE_REPORT", str(DEMO))
    result = collect("--run", "--", "./a.out")
    assert result.exit_code == 0, result.stderr
    assert "c04_bank" in result.stdout
    assert "==PROF== Connected to process 1\n" in result.stderr
    assert "--log-file" not in result.stderr
    assert (tmp_path / "a.ncu-rep").exists()


def test_a_report_is_not_overwritten_without_force(ncu, tmp_path, monkeypatch):
    (tmp_path / "a.ncu-rep").write_bytes(b"old")
    monkeypatch.setenv("FAKE_REPORT", str(DEMO))
    refused = collect("--run", "--", "./a.out")
    assert refused.exit_code == 1
    assert "a.ncu-rep exists" in refused.stderr
    assert (tmp_path / "a.ncu-rep").read_bytes() == b"old"
    assert collect("--run", "--force", "--", "./a.out").exit_code == 0


PERMISSION = (
    "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the "
    "target device 0.\\n"
)
MIG = (
    "==ERROR== Failed to access the following metrics. When profiling on a MIG instance, it is not possible to "
    "collect metrics from GPU units that are shared with other MIG instances: dram__bytes.sum\\n"
)
RESOURCE = "==ERROR== Profiling failed because a driver resource was unavailable.\\n"
NO_KERNELS = "==WARNING== No kernels were profiled.\\nAvailable Kernels:\\n1. other\\n"
FAILED = "==ERROR== The application returned an error code (11).\\n"


@pytest.mark.parametrize(
    ("log", "code", "message", "remedy"),
    [
        (PERMISSION, 1, "ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0"),
        (MIG, 1, "MIG instance", "Profile without MIG"),
        (RESOURCE, 1, "driver resource was unavailable", "dcgmi profile --pause"),
        (NO_KERNELS, 0, "No kernels were profiled", "Check the filters"),
        (FAILED, 11, "the application returned an error code", "Run the application alone"),
        ("", 1, "ncu wrote no report (exit status 1)", "Run the printed command by hand"),
        ("", 0, "ncu wrote no report (exit status 0)", "Run the printed command by hand"),
    ],
)
def test_failures_are_named_with_a_remedy(ncu, monkeypatch, log, code, message, remedy):
    monkeypatch.setenv("FAKE_LOG", log)
    monkeypatch.setenv("FAKE_CODE", str(code))
    result = collect("--run", "--", "./a.out")
    assert result.exit_code == 1
    assert message in result.stderr
    assert remedy in result.stderr
    assert "Traceback" not in result.stderr


def test_an_old_report_is_not_taken_for_the_new_one(ncu, tmp_path, monkeypatch):
    shutil.copy(DEMO, tmp_path / "a.ncu-rep")
    monkeypatch.setenv("FAKE_LOG", NO_KERNELS)
    result = collect("--run", "--force", "--", "./a.out")
    assert result.exit_code == 1
    assert "No kernels were profiled" in result.stderr


def test_a_program_that_fails_after_it_was_measured_keeps_its_report(ncu, monkeypatch):
    monkeypatch.setenv("FAKE_LOG", FAILED)
    monkeypatch.setenv("FAKE_CODE", "11")
    monkeypatch.setenv("FAKE_REPORT", str(DEMO))
    result = collect("--run", "--", "./a.out")
    assert result.exit_code == 1
    assert "exit status 11 after it was measured" in result.stderr
    assert "ncuanalyze a.ncu-rep" in result.stderr


def test_a_run_that_hangs_is_ended(ncu, monkeypatch):
    monkeypatch.setenv("FAKE_SLEEP", "300")
    result = collect("--run", "--timeout", "0.5", "--", "./a.out")
    assert result.exit_code == 1
    assert "did not finish within 0.5 s" in result.stderr
    assert "NCCL" in result.stderr


SLOW = """#!/bin/sh
echo $$ > {pids}/$$
sleep 60 &
echo $! > {pids}/$!
wait
"""


def _runs(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("words", [("--run", "--timeout", "0.5"), ("--timeout", "0.5")], ids=["run", "probe"])
def test_nothing_of_an_ncu_that_hangs_is_left(ncu, tmp_path, words):
    """Its jobs hold the pipe of ``ncu --version`` open, and shells shield them from interrupts."""
    (tmp_path / "pids").mkdir()
    ncu.write_text(SLOW.format(pids=tmp_path / "pids"))
    began_s = time.monotonic()
    collect(*words, "--", "./a.out")
    assert time.monotonic() - began_s < 20
    started = [int(file.name) for file in (tmp_path / "pids").iterdir()]
    assert started
    assert [process_id for process_id in started if _runs(process_id)] == []


def test_a_file_that_cannot_run_is_our_error(ncu):
    ncu.write_text("#!/nonexistent/interpreter\n")
    result = collect("--run", "--", "./a.out")
    assert result.exit_code == 1
    assert "cannot start" in result.stderr


def sections(*words):
    return CliRunner().invoke(group, ["sections", *words], prog_name="ncuanalyze")


def test_sections_path_is_the_folder():
    assert Path(sections("--path").stdout.strip()).samefile(ROOT / "sections")


@pytest.mark.parametrize("words", [[], ["list"]])
def test_sections_are_listed_with_their_sets(words):
    text = sections(*words).stdout
    assert "NcuAnalyzeTensor16" in text
    assert "sets: ncuanalyze, ncuanalyze-quick" in text


def test_check_prints_place_and_level_and_fails_on_errors(tmp_path):
    bad = tmp_path / "bad.section"
    bad.write_text('Identifier: "Bad"\nDisplayName: "Bad"\nHeader { Metrics { Name: "dram__byte.sum" } }\n')
    result = sections("--check", str(bad))
    assert result.exit_code == 1
    assert result.stdout == f"{bad}:3:26: error: no chip has a metric dram__byte: did you mean dram__bytes?\n"
    good = sections("--check", str(ROOT / "sections" / "NcuAnalyzeLaunch.section"), "--chip", "gh100")
    assert good.exit_code == 0
    assert "no problems" in good.stdout


def test_check_names_what_it_cannot_read(tmp_path):
    result = sections("--check", str(tmp_path / "none.section"))
    assert result.exit_code == 1
    assert "cannot read" in result.stderr
    assert (
        sections("--check", str(ROOT / "sections" / "NcuAnalyzeLaunch.section"), "--chip", "x").exit_code == 1
    )

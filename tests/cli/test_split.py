"""The console script outlives its reader: a crash is one error line, an interrupt and a kill leave nothing running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ncuanalyze.cli import memory_limit, split

FIXTURES = Path(__file__).parents[2] / "fixtures"
CSV = FIXTURES / "odd" / "raw_no_units.csv"
COMMAND = (sys.executable, "-P", "-m", "ncuanalyze")
NATIVE_HANG = "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\ntime.sleep(60)"


@pytest.fixture
def rules(tmp_path: Path):
    """A folder of rules that does something to the process which reads a report, and tells its number."""

    def folder(code: str) -> Path:
        tell = f"Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))"
        lines = ("import os, signal, time", "from pathlib import Path", tell, code)
        (tmp_path / "rule.py").write_text("\n".join(lines))
        return tmp_path

    return folder


def run(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, timeout=60)


def started(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def reader_of(folder: Path) -> int:
    """The process that reads, once it has come so far."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if (folder / "pid").exists() and (text := (folder / "pid").read_text()):
            return int(text)
        time.sleep(0.02)
    raise AssertionError("the reader never came")


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("SIGSEGV", "crashed NVIDIA's ncu_report (SIGSEGV)"),
        ("SIGABRT", "crashed NVIDIA's ncu_report (SIGABRT)"),
        ("SIGBUS", "crashed NVIDIA's ncu_report (SIGBUS)"),
        ("SIGKILL", "the process that read it was killed"),
    ],
)
def test_a_crash_is_one_error_line_with_a_hint(rules, cause: str, said: str) -> None:
    result = run(CSV, "--rules", rules(f"os.kill(os.getpid(), signal.{cause})"))
    first, second = result.stderr.decode().splitlines()
    assert first.startswith(f"Error: {CSV}") and said in first
    assert second.startswith("Hint: ")
    assert (result.returncode, result.stdout) == (1, b"")


@pytest.mark.parametrize("names", [["a.ncu-rep"], ["a", "b" * 5000, "c"], ["a", os.fsdecode(b"\xff.csv")], ["a b\nc"]])
def test_the_report_named_is_the_one_that_was_read_last(names: list[str]) -> None:
    reading, writing = os.pipe()
    for name in names:
        os.write(writing, os.fsencode(name) + b"\0")
    os.close(writing)
    assert split.last_name(reading) == names[-1]
    os.close(reading)


def test_an_ordinary_end_is_passed_on(tmp_path: Path) -> None:
    assert run(CSV).returncode == 0
    assert run(tmp_path / "missing").returncode == 1
    assert run(CSV, "--fail-on", "bad").returncode == 2
    assert b"kernel" in run("-", stdin=CSV.read_bytes()).stdout


@pytest.mark.parametrize("arguments", [(), ("--fail-on", "warning"), ("-k", "nobody")])
def test_no_temporary_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run(FIXTURES / "demo.ncu-rep.xz", *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
def test_the_reader_has_a_limit_on_its_memory(rules, tmp_path: Path) -> None:
    limits = f"Path({str(tmp_path / 'limits')!r}).write_text(Path('/proc/self/limits').read_text())"
    run(CSV, "--rules", rules(limits))
    (line,) = [line for line in (tmp_path / "limits").read_text().splitlines() if line.startswith("Max address space")]
    assert int(line.split()[3]) >= memory_limit.LEAST_BYTES


GIB = 1 << 30


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [([64 * GIB], 48 * GIB), ([64 * GIB, None, 16 * GIB], 12 * GIB), ([1 * GIB], 4 * GIB), ([None, 1 << 62], 3 << 60)],
)
def test_what_the_reader_may_take(limits: list[int | None], allowed: int) -> None:
    assert memory_limit.allowed_bytes(limits) == allowed


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
def test_too_little_memory_is_one_error_line_and_leaves_nothing(tmp_path: Path) -> None:
    """It was a traceback."""
    report, own = tmp_path / "report.csv", tmp_path / "tmp"
    own.mkdir()
    report.write_bytes(CSV.read_bytes())
    os.truncate(report, GIB)
    with report.open("rb") as file:
        done = subprocess.run(
            ["bash", "-c", 'ulimit -v 500000; exec "$@"', "-", *COMMAND, "-"],
            stdin=file,
            capture_output=True,
            timeout=60,
            env={**os.environ, "TMPDIR": str(own)},
        )
    first, second = done.stderr.decode().splitlines()
    assert first == "Error: standard input: it takes more memory than this process may have"
    assert second.startswith("Hint: ")
    assert (done.returncode, done.stdout, list(own.iterdir())) == (1, b"", [])


def test_other_signals_end_the_command_as_they_would(rules) -> None:
    assert run(CSV, "--rules", rules("os.kill(os.getpid(), signal.SIGUSR1)")).returncode == -signal.SIGUSR1


@pytest.mark.parametrize("cause", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_temporary_files_go_when_the_command_is_told_to_end(
    rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: signal.Signals
) -> None:
    folder, own = rules("time.sleep(60)"), tmp_path / "tmp"
    own.mkdir()
    monkeypatch.setenv("TMPDIR", str(own))
    process = started(FIXTURES / "demo.ncu-rep.xz", "--rules", folder)
    reader = reader_of(folder)
    assert list(own.iterdir())
    process.send_signal(cause)
    process.communicate(timeout=30)
    assert process.returncode == (1 if cause is signal.SIGINT else -cause)
    assert ends(reader) and not list(own.iterdir())


@pytest.mark.parametrize(
    ("shell", "said"),
    [
        (">&-", b"Error: standard output is closed"),
        ("<&-", b"Error: standard input is closed"),
        ("--help >/dev/full", b"Error: No space left on device"),
    ],
)
def test_closed_and_full_streams_are_one_error(shell: str, said: bytes) -> None:
    done = subprocess.run(
        f"{sys.executable} -P -m ncuanalyze - {shell} {'< ' + str(CSV) if '<' not in shell else ''}".replace(
            "- --help", "--help"
        ),
        shell=True,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, said)


@pytest.mark.parametrize("code", ["time.sleep(60)", NATIVE_HANG])
def test_an_interrupt_ends_both_even_in_native_code(rules, code: str) -> None:
    folder = rules(code)
    process = started(CSV, "--rules", folder)
    reader = reader_of(folder)
    for pid in (process.pid, reader):  # as a terminal does it
        os.kill(pid, signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 1
    assert ends(reader)


@pytest.mark.skipif(sys.platform != "linux", reason="pipes tell of a dead parent on Linux")
@pytest.mark.parametrize("cause", [signal.SIGKILL, signal.SIGTERM])
def test_the_reader_does_not_outlive_the_command(rules, cause: signal.Signals) -> None:
    folder = rules(NATIVE_HANG)
    process = started(CSV, "--rules", folder)
    reader = reader_of(folder)
    process.send_signal(cause)
    process.communicate(timeout=30)
    assert process.returncode == -cause
    assert ends(reader)

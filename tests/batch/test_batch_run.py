"""A dataset is a function of its reports: not of jobs, engines, order, or what was there before."""

import errno
import fcntl
import gzip
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from batch.in_process import ODD, SETTINGS, InProcess, content, run
from ncuanalyze.batch.engine import IsDone, ReaderSettings
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.ledger import read_ledger
from ncuanalyze.batch.limits import Limits
from ncuanalyze.batch.local_engine import LocalEngine
from ncuanalyze.batch.outcome import Ending, Outcome
from ncuanalyze.batch.reading import Reading
from ncuanalyze.batch.store import OutcomeStore
from ncuanalyze.diagnose import Options, diagnose
from ncuanalyze.diagnosis import from_dict, to_dict
from ncuanalyze.errors import InvalidInput, UnreadableReport
from ncuanalyze.load import load

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

GOOD = ("raw_units.csv", "small_3kernels.ncu-rep", "kernel_names.csv", "raw_nvtx.csv")
BAD = ("trunc_000300.ncu-rep", "empty.csv")


@pytest.fixture
def night(tmp_path: Path) -> Path:
    folder = tmp_path / "night"
    (folder / "deep").mkdir(parents=True)
    for name in (*GOOD[:2], *BAD):
        shutil.copy(ODD / name, folder / name)
    for name in GOOD[2:]:
        shutil.copy(ODD / name, folder / "deep" / name)
    (folder / "notes.txt").write_text("not a report")
    return folder


def test_jobs_and_earlier_runs_leave_no_trace(night: Path, tmp_path: Path) -> None:
    first = run([night], tmp_path / "one")
    assert (first.reports, first.errors, first.read, first.reused) == (6, 2, 6, 0)
    run([night / "deep"], tmp_path / "many")
    run([night], tmp_path / "many", engine=LocalEngine(3, SETTINGS))
    assert content(tmp_path / "one") == content(tmp_path / "many")


def test_a_second_run_reads_what_changed(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    again = run([night], output)
    assert (again.read, again.reused, again.parts_written) == (0, 6, 0)
    assert content(output) == before

    (night / "moved.csv").write_bytes((night / "raw_units.csv").read_bytes())
    (night / "raw_units.csv").unlink()
    shutil.copy(ODD / "thousands.csv", night / "empty.csv")
    changed = run([night], output)
    assert (changed.read, changed.reused, changed.errors) == (1, 5, 1)

    run([night], tmp_path / "fresh")
    assert content(output) == content(tmp_path / "fresh")


def test_reports_that_are_gone_go_unless_kept(night: Path, tmp_path: Path) -> None:
    kept, dropped = tmp_path / "kept", tmp_path / "dropped"
    for output in (kept, dropped):
        run([night], output)
    assert run([night / "deep"], kept, keep=True).reports == 6
    assert run([night / "deep"], dropped).reports == 2


def test_what_is_kept_outlives_a_new_version(night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "out"
    run([night], output)
    kernels = run([night], output).kernels
    monkeypatch.setattr("ncuanalyze.batch.engine.fingerprint", lambda *_: "another")
    for _ in range(2):  # what was adopted once stays
        kept = run([night / "deep"], output, keep=True)
        assert (kept.reports, kept.kernels) == (6, kernels)
    assert run([night], output).read == 4  # but is judged anew when it is named


def test_what_is_kept_outlives_the_cache(night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    shutil.rmtree(output / "cache")
    kept = run([night / "deep"], output, keep=True)
    assert (kept.reports, kept.errors) == (6, 2)
    assert content(output) == before
    shutil.rmtree(output / "cache")
    monkeypatch.setattr("ncuanalyze.batch.engine.fingerprint", lambda *_: "another")
    assert run([night / "deep"], output, keep=True).errors == 2
    assert {name: content(output)[name] for name in PART} == {name: before[name] for name in PART}


def test_what_is_kept_comes_from_no_part_that_was_changed(night: Path, tmp_path: Path) -> None:
    # a part that was changed, or came from another dataset, told what became of a report once the cache was gone
    output = tmp_path / "out"
    run([night], output)
    part = output / PART[1]
    lines = [json.loads(line) for line in gzip.decompress(part.read_bytes()).splitlines()]
    for line in lines:
        line["kernels"][0]["bound"] = "another"
    part.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    shutil.rmtree(output / "cache")
    assert (run([night / "deep"], output, keep=True).errors, run([night], output).errors) == (4, 2)


def test_what_is_lost_is_said_and_stops_nothing(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    shutil.rmtree(output / "cache")
    shutil.rmtree(output / "diagnoses")
    kept = run([night / "deep"], output, keep=True)
    assert (kept.reports, kept.errors) == (6, 4)
    told = {Path(line["report"]).name: line for line in map(json.loads, (output / "errors.jsonl").open())}
    assert told["raw_units.csv"]["ending"] == "unreachable"
    assert told["raw_units.csv"]["message"] == "what was read of raw_units.csv is not in the dataset any more"
    assert run([night], output).errors == 2
    run([night], tmp_path / "fresh")
    assert content(output) == content(tmp_path / "fresh")


def test_a_diagnosis_that_cannot_be_unpacked_is_read_again(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    entry = next(entry for entry in read_ledger(output / "reports.jsonl") if entry.report.endswith("raw_units.csv"))
    (store,) = (output / "cache").iterdir()
    bomb = Outcome(ending=Ending.DIAGNOSED, packed=b"no zlib", kernels=3)
    OutcomeStore(output / "cache", store.name).put(entry.sha256, bomb)
    shutil.rmtree(output / "kernels")
    assert run([night], output).errors == 3
    assert run([night], output).errors == 2
    assert content(output) == before


class Stopping(InProcess):
    """Is killed after some readings."""

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        for number, reading in enumerate(super().readings(todo, is_done)):
            if number == 3:
                raise KeyboardInterrupt
            yield reading


def test_a_stopped_run_goes_on_where_it_stopped(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run([night], output, engine=Stopping())
    assert not (output / "index.html").exists()
    went_on = run([night], output)
    assert (went_on.read, went_on.reused) == (3, 3)
    run([night], tmp_path / "fresh")
    assert content(output) == content(tmp_path / "fresh")


def test_a_part_that_a_killed_run_wrote_is_not_taken_for_the_one_before(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the manifest still held the digest of the old content, to which the report went back
    output, report = tmp_path / "out", night / "raw_units.csv"
    run([night], output)
    before, old = content(output), report.read_bytes()
    report.write_bytes((ODD / "thousands.csv").read_bytes())
    with monkeypatch.context() as patch, pytest.raises(TypeError):
        patch.setattr("ncuanalyze.batch.dataset.write_manifest", None)
        run([night], output)
    report.write_bytes(old)
    assert run([night], output).parts_written == 1
    assert content(output) == before


PART = ("kernels/part-00000.parquet", "diagnoses/part-00000.jsonl.gz")


@pytest.mark.parametrize("name", PART)
@pytest.mark.parametrize("damage", ["cut", "foreign", "gone"])
def test_a_damaged_part_is_written_again(night: Path, tmp_path: Path, name: str, damage: str) -> None:
    output = tmp_path / "out"
    run([night / "deep"], tmp_path / "other")
    run([night], output)
    before = content(output)
    if damage == "gone":
        (output / name).unlink()
    else:
        foreign = (tmp_path / "other" / name).read_bytes()
        (output / name).write_bytes(before[name][:300] if damage == "cut" else foreign)
    assert run([night], output).parts_written == 1
    assert content(output) == before


DEEP = b"[" * 200_000
LINE = {
    **{"report": "a", "sha256": "", "bytes": 0, "version": "", "archive": "", "archive_sha256": "", "kernels": 0},
    **{"ending": "refused", "created": "", "error": "", "message": "", "hint": ""},
}
LINES = {
    "not UTF-8": b'{"report": "\xff"}',
    "a list": b"[1]",
    "null": b"null",
    "deep": DEEP,
    "a number as a name": json.dumps(LINE | {"report": 7}).encode(),
    "half a character": json.dumps(LINE | {"report": "\ud800"}).encode(),
    "an unknown ending": json.dumps(LINE | {"ending": "eaten"}).encode(),
    "a truth as a count": json.dumps(LINE | {"kernels": True}).encode(),
    "a count too many": json.dumps(LINE | {"kernels": 10**30}).encode(),
    "no date": json.dumps(LINE | {"created": "yesterday"}).encode(),
    "a list as a hash": json.dumps(LINE | {"sha256": []}).encode(),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_damaged_line_counts_as_missing(night: Path, tmp_path: Path, line: bytes) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    for name in ("reports.jsonl", "archives.jsonl", "journal.jsonl"):
        held = before.get(name, b"")
        (output / name).write_bytes(line + b"\n" + held + line)
    run([night], output, keep=True)
    assert content(output) == before


MANIFESTS = {
    "not UTF-8": b'{"parts": "\xff"}',
    "deep": DEEP,
    "a list": b"[]",
    "odd parts": b'{"parts": 7, "files": 7}',
    "odd marks": b'{"parts": [7], "files": {"kernels/part-00000.parquet": 7}}',
    "empty": b"",
}


@pytest.mark.parametrize(
    ("field", "value"), [("report", "night.zip!/q.csv"), ("kernels", 99), ("ending", "diagnosed"), ("message", "no")]
)
def test_a_line_whose_values_were_changed_counts_as_missing(tmp_path: Path, field: str, value: object) -> None:
    archive, output = tmp_path / "night.zip", tmp_path / "out"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in ("raw_units.csv", "empty.csv"):
            packed.write(ODD / name, name)
    run([archive], output)
    before, ledger = content(output), output / "reports.jsonl"
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    lines[0][field] = value
    ledger.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    run([archive], output)
    assert content(output) == before


@pytest.mark.parametrize("name", [os.fsdecode(b"\xff.ncu-rep"), "plain.ncu-repz"], ids=["no UTF-8", "packed ending"])
def test_the_name_of_a_report_does_not_decide(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "night"
    folder.mkdir()
    shutil.copy(ODD / "small_3kernels.ncu-rep", folder / name)
    assert run([folder], tmp_path / "out").kernels == 3


def test_a_report_that_changes_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, other = tmp_path / "a.csv", tmp_path / "b.csv"
    shutil.copy(ODD / "raw_units.csv", report)
    diagnose = InProcess.diagnose

    def replaced(self: InProcess, path: Path) -> Outcome:
        shutil.copy(ODD / "kernel_names.csv", other)
        other.replace(report)
        return diagnose(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(InProcess, "diagnose", replaced)
        assert run([report], tmp_path / "out").errors == 1
    assert "it changed while it was read" in (tmp_path / "out" / "errors.jsonl").read_text()
    run([report], tmp_path / "out")
    run([report], tmp_path / "fresh")
    assert content(tmp_path / "out") == content(tmp_path / "fresh")


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_a_damaged_manifest_is_written_again(night: Path, tmp_path: Path, manifest: bytes) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    (output / "manifest.json").write_bytes(manifest)
    run([night], output)
    assert content(output) == before


@pytest.mark.parametrize("place", [0, 33, 40, 60, -1])
def test_a_flipped_byte_in_the_store_costs_a_second_reading(night: Path, tmp_path: Path, place: int) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    for file in (output / "cache").rglob("*"):
        if file.is_file():
            data = bytearray(file.read_bytes())
            data[place] ^= 0xFF
            file.write_bytes(data)
    shutil.rmtree(output / "kernels")
    assert run([night], output).read == 6
    assert content(output) == before


def test_stray_parts_go(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    for stray in ("part-00007.parquet", "part-00000.parquet.new"):
        shutil.copy(output / PART[0], output / "kernels" / stray)
    run([night], output)
    assert content(output) == before


MOMENTS = [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EMFILE, "Too many open files")]
MOMENTS += [OSError(errno.EIO, "Input/output error"), OSError(errno.ENOMEM, "Cannot allocate memory")]


@pytest.mark.parametrize("error", MOMENTS, ids=str)
def test_a_failure_of_this_machine_is_tried_again(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    # a full folder of temporary files was the verdict on the report for good
    shutil.copy(ODD / "raw_units.csv.xz", night / "packed.csv.xz")
    with monkeypatch.context() as patch:
        patch.setattr("ncuanalyze.load.container.temporary_folder", lambda: raised(error))
        assert run([night / "packed.csv.xz"], tmp_path / "out").errors == 1
    told = json.loads((tmp_path / "out" / "errors.jsonl").read_text())
    assert (told["ending"], told["message"]) == (
        "unreachable",
        f"reading packed.csv.xz failed on this machine: {error.strerror}",
    )
    again = run([night / "packed.csv.xz"], tmp_path / "out")
    assert (again.read, again.errors) == (1, 0)


def test_a_library_that_is_installed_later(night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zstandard = pytest.importorskip("zstandard")
    report = night / "packed.csv.zst"
    report.write_bytes(zstandard.compress((ODD / "raw_units.csv").read_bytes()))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "zstandard", None)
        assert run([report], tmp_path / "out").errors == 1
    told = json.loads((tmp_path / "out" / "errors.jsonl").read_text())
    assert (told["ending"], told["error"]) == ("unreachable", "MissingDependency")
    assert "pip install" in told["hint"]
    assert run([report], tmp_path / "out").errors == 0


def test_the_same_bytes_keep_their_verdict_through_a_bad_moment(tmp_path: Path) -> None:
    store = OutcomeStore(tmp_path, "any")
    good, late = Outcome(ending=Ending.DIAGNOSED, kernels=1), Outcome(ending=Ending.TIMEOUT)
    store.put("a" * 64, late)
    store.put("a" * 64, good)
    store.put("a" * 64, late)
    assert store.get("a" * 64) == good


class LateOnce(InProcess):
    """Has no time for the report of a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        for reading in super().readings(todo, lambda _: False):
            late = reading.found.report.endswith(self._name)
            yield replace(reading, outcome=Outcome(ending=Ending.TIMEOUT)) if late else reading


@pytest.mark.parametrize("late", ["raw_units.csv", "same.csv"])
def test_the_same_bytes_end_alike_in_any_order(night: Path, tmp_path: Path, late: str) -> None:
    shutil.copy(night / "raw_units.csv", night / "same.csv")
    run([night], tmp_path / "fresh")
    assert run([night], tmp_path / "out", engine=LateOnce(late)).errors == 2
    assert content(tmp_path / "out") == content(tmp_path / "fresh")


@pytest.mark.parametrize("kind", [UnreadableReport, KeyError])
def test_messages_hold_no_path_of_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    # they differed from run to run
    def load(path: Path) -> None:
        copy = f"{tempfile.mkdtemp(prefix='ncuanalyze-one-', dir=tmp_path)}/ncuanalyze-ab12/layer0"
        error = kind(f"{copy} is odd, as '{path}' is")
        error.hint = f"Show it with: ncuanalyze {path}"  # type: ignore[attr-defined]
        raise error

    monkeypatch.setattr("ncuanalyze.load.load", load)
    for name in ("one", "two"):
        run([ODD / "raw_units.csv"], tmp_path / name)
    assert content(tmp_path / "one") == content(tmp_path / "two")
    told = json.loads((tmp_path / "one" / "errors.jsonl").read_text())
    assert "raw_units.csv is odd, as 'raw_units.csv' is" in told["message"]
    assert "/" not in told["message"] + told["hint"]


def raised(error: Exception) -> Path:
    raise error


def test_errors_are_collected_with_their_hints(night: Path, tmp_path: Path) -> None:
    run([night], tmp_path / "out")
    errors = [json.loads(line) for line in (tmp_path / "out" / "errors.jsonl").read_text().splitlines()]
    assert [Path(error["report"]).name for error in errors] == ["empty.csv", "trunc_000300.ncu-rep"]
    assert [error["error"] for error in errors] == ["UnreadableReport", "UnreadableReport"]
    assert all(error["hint"] and Path(error["report"]).name in error["message"] for error in errors)


def test_each_line_of_the_diagnoses_is_a_saved_diagnosis(night: Path, tmp_path: Path) -> None:
    run([night], tmp_path / "out")
    with gzip.open(tmp_path / "out" / "diagnoses" / "part-00000.jsonl.gz", "rt") as lines:
        documents = [json.loads(line) for line in lines]
    assert sorted(document["source"]["file"] for document in documents) == sorted(GOOD)
    assert all(from_dict(document).kernels for document in documents)
    assert all(document["batch"]["report"].endswith(document["source"]["file"]) for document in documents)


def test_a_diagnosis_of_the_dataset_is_whole_but_for_the_sampled_lines(tmp_path: Path) -> None:
    # the page that describes the dataset said that nothing is left out
    report = ODD.parent / "reports" / "triton.ncu-rep.xz"
    run([report], tmp_path / "out")
    with gzip.open(tmp_path / "out" / "diagnoses" / "part-00000.jsonl.gz", "rt") as lines:
        told = json.loads(lines.read())
    expected = to_dict(diagnose(load(report), options=Options(hotspots=True)))
    assert all(kernel["source_hotspots"] for kernel in expected["kernels"][1:])
    nothing = {"source_hotspots": None}
    assert [kernel | nothing for kernel in expected["kernels"]] == told["kernels"]
    assert {**told, "batch": None, "kernels": None} == {**expected, "batch": None, "kernels": None}


def test_a_damaged_store_costs_a_second_reading(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    before = content(output)
    for file in (output / "cache").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:20])
    assert run([night], output).read == 6
    assert content(output) == before


def test_an_unreadable_file_is_an_error_of_its_own(night: Path, tmp_path: Path) -> None:
    (night / "link.csv").symlink_to(tmp_path / "nowhere.csv")
    (tmp_path / "outside.csv").write_bytes((ODD / "raw_units.csv").read_bytes())
    (night / "out.csv").symlink_to(tmp_path / "outside.csv")
    assert run([night], tmp_path / "out").errors == 4
    told = (tmp_path / "out" / "errors.jsonl").read_text()
    assert ("a link out of the folder" in told, "a broken link" in told) == (True, True)


def test_a_folder_that_holds_something_else_is_left_alone(night: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="something else"):
        run([night], tmp_path / "home")


FOREIGN_LOCKS = {"empty": "", "a pid": "4711\n", "another mark": "ncuanalyze.batch/1\nand more"}


@pytest.mark.parametrize("lock", FOREIGN_LOCKS.values(), ids=FOREIGN_LOCKS)
def test_a_lock_alone_does_not_make_a_folder_ours(night: Path, tmp_path: Path, lock: str) -> None:
    # the folders below its cache/ were removed
    home = tmp_path / "home"
    (home / "cache" / "photos").mkdir(parents=True)
    (home / "cache" / "photos" / "one.jpg").write_text("mine")
    (home / "index.html").write_text("mine")
    (home / ".lock").write_text(lock)
    before = content(home)
    with pytest.raises(InvalidInput, match="something else"):
        run([night], home)
    assert content(home) == before
    assert (home / "cache" / "photos" / "one.jpg").read_text() == "mine"


def test_a_lock_that_is_a_link_is_not_followed(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    (tmp_path / "thesis.txt").write_text("mine")
    (output / ".lock").unlink()
    (output / ".lock").symlink_to(tmp_path / "thesis.txt")
    with pytest.raises(InvalidInput, match="cannot write"):
        run([night], output)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_what_others_put_into_the_cache_stays(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    (output / "cache" / "photos" / "deep").mkdir(parents=True)
    (output / "cache" / "photos" / "deep" / "one.jpg").write_text("mine")
    run([night], output)
    assert (output / "cache" / "photos" / "deep" / "one.jpg").read_text() == "mine"


def test_outcomes_of_another_version_go(night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "out"
    run([night], output)
    monkeypatch.setattr("ncuanalyze.batch.engine.fingerprint", lambda *_: "another")
    run([night], output)
    assert [folder.name for folder in (output / "cache").iterdir()] == ["another"]


@pytest.mark.parametrize("lost", [".lock", "manifest.json"])
def test_a_dataset_is_known_by_either_mark(night: Path, tmp_path: Path, lost: str) -> None:
    run([night], tmp_path / "out")
    before = content(tmp_path / "out")
    (tmp_path / "out" / lost).unlink()
    run([night], tmp_path / "out")
    assert content(tmp_path / "out") == before


@pytest.mark.parametrize("there", [True, False])
def test_a_failed_start_leaves_nothing_behind(tmp_path: Path, there: bool) -> None:
    output = tmp_path / "a" / "out"
    if there:
        output.mkdir(parents=True)
    with pytest.raises(InvalidInput, match="does not exist"):
        run([tmp_path / "none.csv"], output)
    assert list(tmp_path.rglob("*")) == ([tmp_path / "a", output] if there else [])


def test_two_runs_do_not_write_to_one_dataset(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run([night], output)
    with (output / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InvalidInput, match="another batch"):
            run([night], output)


def test_the_dataset_itself_is_not_read(night: Path) -> None:
    shutil.copy(ODD / "raw_units.csv", night / "report.csv")
    output = night / "dataset"
    assert run([night], output).reports == run([night], output).reports == 7


def test_other_limits_try_a_timeout_again(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    hasty = run(
        [night / "raw_units.csv"], output, engine=LocalEngine(1, ReaderSettings(limits=Limits(timeout_s=0.001)))
    )
    assert hasty.errors == 1
    assert json.loads((output / "errors.jsonl").read_text())["ending"] == "timeout"
    patient = run([night / "raw_units.csv"], output)
    assert (patient.errors, patient.read) == (0, 1)

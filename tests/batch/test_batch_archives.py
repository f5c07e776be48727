"""Archives in a batch: their members are reports of the dataset, and an archive that has not changed stays packed."""

import errno
import zipfile
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from batch.in_process import ODD, SETTINGS, InProcess, content, run
from ncuanalyze.batch import expansion
from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.ledger import read_ledger
from ncuanalyze.batch.local_engine import LocalEngine
from ncuanalyze.batch.reading import Reading

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def make(file: Path, **members: str) -> Path:
    with zipfile.ZipFile(file, "w") as packed:
        for name, fixture in members.items():
            packed.writestr(name.replace("__", "/") + ".csv", (ODD / fixture).read_bytes())
    return file


def names(output: Path) -> list[str]:
    return [entry.report.rsplit("/night.zip", 1)[-1] for entry in read_ledger(output / "reports.jsonl")]


def test_members_are_named_by_their_place(tmp_path: Path) -> None:
    make(tmp_path / "night.zip", a__one="raw_units.csv", two="kernel_names.csv", three="empty.csv")
    result = run([tmp_path / "night.zip"], tmp_path / "out")
    assert (result.reports, result.errors) == (3, 1)
    assert names(tmp_path / "out") == ["!/a/one.csv", "!/three.csv", "!/two.csv"]


def test_an_archive_that_has_not_changed_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make(tmp_path / "night.zip", one="raw_units.csv", two="empty.csv")
    run([archive], tmp_path / "out")
    before = content(tmp_path / "out")
    with monkeypatch.context() as patch:
        patch.setattr(expansion, "unpacked_members", None)  # would fail
        again = run([archive], tmp_path / "out")
    assert (again.read, again.reused) == (0, 2)
    assert content(tmp_path / "out") == before

    make(archive, one="raw_units.csv", two="kernel_names.csv")
    assert run([archive], tmp_path / "out").read == 1
    run([archive], tmp_path / "fresh")
    assert content(tmp_path / "out") == content(tmp_path / "fresh")


class Stopping(InProcess):
    """Is killed after the first reading."""

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        for number, reading in enumerate(super().readings(todo, is_done)):
            if number == 1:
                raise KeyboardInterrupt
            yield reading


@pytest.mark.parametrize("version", ["", "etag"])
def test_a_run_stopped_inside_an_archive_reads_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    # the members that the journal knew were taken for the whole archive
    archive = make(tmp_path / "night.zip", one="raw_units.csv", two="empty.csv", three="kernel_names.csv")
    found = Found(report="s3://night.zip", path=str(archive), version=version)
    monkeypatch.setattr("ncuanalyze.batch.run.discover", lambda *_, **__: [found])
    with pytest.raises(KeyboardInterrupt):
        run(["-"], tmp_path / "out", engine=Stopping())
    went_on = run(["-"], tmp_path / "out")
    assert (went_on.reports, went_on.read, went_on.reused) == (3, 2, 1)
    run(["-"], tmp_path / "fresh")
    assert content(tmp_path / "out") == content(tmp_path / "fresh")
    assert run(["-"], tmp_path / "out").reused == 3


def test_a_member_that_the_ledger_lost_is_read_again(tmp_path: Path) -> None:
    archive = make(tmp_path / "night.zip", one="raw_units.csv", two="empty.csv", three="kernel_names.csv")
    run([archive], tmp_path / "out")
    before = content(tmp_path / "out")
    ledger = tmp_path / "out" / "reports.jsonl"
    ledger.write_text("".join(ledger.read_text().splitlines(keepends=True)[:-1]))
    assert run([archive], tmp_path / "out").reports == 3
    assert content(tmp_path / "out") == before


def test_members_travel_as_bytes_to_readers_elsewhere(tmp_path: Path) -> None:
    archive = make(tmp_path / "night.zip", one="raw_units.csv", two="trunc_000300.ncu-rep")
    run([archive], tmp_path / "here")
    run([archive], tmp_path / "there", engine=InProcess(is_remote=True))
    assert content(tmp_path / "here") == content(tmp_path / "there")


def test_what_this_machine_lacks_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make(tmp_path / "night.zip", one="raw_units.csv")
    with monkeypatch.context() as patch:
        patch.setattr(expansion, "mkdtemp", lambda **_: raised(OSError(errno.ENOSPC, "No space left", "/tmp/x")))
        run([archive], tmp_path / "out")
    (entry,) = read_ledger(tmp_path / "out" / "reports.jsonl")
    assert (entry.ending, entry.message) == ("unreachable", "night.zip is not read: No space left")
    assert run([archive], tmp_path / "out").errors == 0


def raised(error: Exception) -> str:
    raise error


def test_an_archive_without_a_report_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make(tmp_path / "night.zip")
    run([archive], tmp_path / "out")
    (entry,) = read_ledger(tmp_path / "out" / "reports.jsonl")
    assert (entry.ending, entry.message) == ("refused", "night.zip is not read: it holds no report")
    monkeypatch.setattr(expansion, "unpacked_members", None)  # would fail
    assert run([archive], tmp_path / "out").reused == 1


class Backwards(InProcess):
    """Ends with the first report."""

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        yield from list(super().readings(todo, is_done))[::-1]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_every_report_has_a_name_of_its_own(tmp_path: Path) -> None:
    # the reading that ended last was the one of that name
    night = tmp_path / "night"
    (night / "night.zip!").mkdir(parents=True)
    (night / "night.zip!" / "one.csv").write_bytes((ODD / "thousands.csv").read_bytes())
    archive = make(night / "night.zip", one="raw_units.csv", two="kernel_names.csv")
    with zipfile.ZipFile(archive, "a") as packed:
        packed.writestr("two.csv", (ODD / "raw_nvtx.csv").read_bytes())
    run([night], tmp_path / "out")
    assert names(tmp_path / "out") == ["!/one.csv", "!/one.csv#2", "!/two.csv", "!/two.csv#2"]
    for name, engine in {
        "back": Backwards(),
        "two": LocalEngine(2, SETTINGS),
        "far": InProcess(is_remote=True),
    }.items():
        run([night], tmp_path / name, engine=engine)
        assert content(tmp_path / name) == content(tmp_path / "out")
    run([night], tmp_path / "out")
    assert content(tmp_path / "back") == content(tmp_path / "out")

    (night / "night.zip!" / "one.csv").unlink()
    run([night], tmp_path / "out")
    run([night], tmp_path / "fresh")
    assert content(tmp_path / "out") == content(tmp_path / "fresh")


def test_a_broken_archive_is_one_error_and_tried_again(tmp_path: Path) -> None:
    archive = tmp_path / "night.zip"
    archive.write_bytes(b"PK\x03\x04" + bytes(99))
    for _ in range(2):
        result = run([archive], tmp_path / "out")
        assert (result.reports, result.errors, result.read) == (1, 1, 1)
    (entry,) = read_ledger(tmp_path / "out" / "reports.jsonl")
    assert "damaged or no archive" in entry.message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full")
def test_an_archive_that_found_no_room_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make(tmp_path / "night.zip", one="raw_units.csv", two="kernel_names.csv")
    with monkeypatch.context() as patch:
        patch.setattr(expansion, "mkdtemp", lambda **_: full_behind_one(tmp_path / "full"))
        result = run([archive], tmp_path / "out")
    assert (result.reports, result.errors) == (2, 1)
    assert "cannot be unpacked here: No space left" in (tmp_path / "out" / "errors.jsonl").read_text()
    again = run([archive], tmp_path / "out")
    assert (again.reports, again.errors, again.reused) == (2, 0, 1)


def full_behind_one(folder: Path) -> str:
    folder.mkdir()
    (folder / "1.report").symlink_to("/dev/full")
    return str(folder)

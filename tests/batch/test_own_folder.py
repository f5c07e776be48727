"""What a batch that was killed leaves among the temporary files goes with the next one; nothing else does."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from batch.in_process import ODD, run
from ncuanalyze.batch import own_folder
from ncuanalyze.batch.own_folder import OwnFolder, sweep

HOLD = """
import sys
from ncuanalyze.batch.own_folder import OwnFolder
folder = OwnFolder("reader")
(folder.path / "deep").mkdir()
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    tempfile.tempdir = None


@pytest.fixture
def owner() -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Another process and its folder."""
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_goes_once_its_owner_was_killed(owner: tuple["subprocess.Popen[str]", Path]) -> None:
    process, folder = owner
    sweep()
    assert (folder / "deep").is_dir()
    process.send_signal(signal.SIGKILL)
    process.wait()
    sweep()
    assert not folder.exists()


def test_a_batch_sweeps_and_leaves_nothing(owner: tuple["subprocess.Popen[str]", Path], tmp_path: Path) -> None:
    process, folder = owner
    process.kill()
    process.wait()
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    run([ODD / "raw_units.csv"], tmp_path / "out")
    assert list(folder.parent.iterdir()) == []


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    for name in ("ncuanalyze-reader-unmarked", "another-program", "ncuanalyze-reader-linked-lock"):
        (temporary / name).mkdir()
    (temporary / "another-program" / ".owned").touch()
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / ".owned").touch()
    (temporary / "ncuanalyze-reader-link").symlink_to(tmp_path / "target")
    (temporary / "ncuanalyze-reader-linked-lock" / ".owned").symlink_to(tmp_path / "target" / ".owned")
    (temporary / "ncuanalyze-reader-file").touch()
    before = sorted(tmp_path.rglob("*"))
    sweep()
    assert sorted(tmp_path.rglob("*")) == before


def test_folders_of_another_user_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned = tmp_path / "temporary" / "ncuanalyze-reader-abandoned"
    abandoned.mkdir()
    (abandoned / ".owned").touch()
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        sweep()
    assert abandoned.is_dir()
    sweep()
    assert not abandoned.exists()


def test_where_nothing_can_be_locked_a_folder_is_never_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(own_folder, "_held", lambda *_: None)
        folder = OwnFolder("reader")
    sweep()
    assert list(folder.path.iterdir()) == []
    folder.remove()
    assert not folder.path.exists()


def test_a_folder_goes_with_its_context() -> None:
    with OwnFolder("staged") as folder:
        (folder / "file").touch()
        sweep()
        assert (folder / "file").exists()
    assert not folder.exists()

"""What paths stand for."""

from pathlib import Path

import pytest

from ncuanalyze.batch.discovery import discover
from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.errors import InvalidInput

NAMES = {
    "a.ncu-rep": (True, False),
    "a.NCU-REP": (True, False),
    "a.ncu-repz": (True, False),
    "a.ncu-rep.xz": (True, False),
    "a.csv.gz": (True, False),
    "a.tar.gz": (False, True),
    "a.tgz": (False, True),
    "a.zip": (False, True),
    "a.csv.zip": (False, True),
    "a.gz": (False, False),
    "a.json": (False, False),
    "ncu-rep": (False, False),
}


@pytest.mark.parametrize("name", NAMES)
def test_endings(name: str) -> None:
    assert (is_report(name), is_archive(name)) == NAMES[name]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("b/two.csv", "a/one.ncu-rep", "a/deep/three.csv.xz", "pack.zip", "notes.txt", "saved.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


CASES = [
    (["."], ["a/deep/three.csv.xz", "a/one.ncu-rep", "b/two.csv", "pack.zip"]),
    (["a", "b"], ["a/deep/three.csv.xz", "a/one.ncu-rep", "b/two.csv"]),
    (["b", "a", "a/one.ncu-rep"], ["a/deep/three.csv.xz", "a/one.ncu-rep", "b/two.csv"]),
    (["*/*"], ["a/deep/three.csv.xz", "a/one.ncu-rep", "b/two.csv"]),
    (["**/*.csv"], ["b/two.csv"]),
    (["saved.json"], ["saved.json"]),
]


@pytest.mark.parametrize(("paths", "reports"), CASES, ids=lambda value: " ".join(value))
def test_files_folders_and_globs(tree: Path, paths: list[str], reports: list[str]) -> None:
    found = discover(paths)
    assert [item.report for item in found] == reports
    assert all(Path(item.path).is_absolute() for item in found)


@pytest.mark.parametrize("path", ["none.csv", "none/*.csv", "empty"])
def test_a_path_that_stands_for_nothing(tree: Path, path: str) -> None:
    (tree / "empty").mkdir()
    with pytest.raises(InvalidInput) as raised:
        discover(["a", path])
    assert raised.value.hint


def test_links_and_what_is_no_file(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.csv"
    outside.write_text("x")
    (tree / "b" / "out.csv").symlink_to(outside)
    (tree / "b" / "in.csv").symlink_to(tree / "b" / "two.csv")
    (tree / "b" / "broken.csv").symlink_to(tree / "none")
    (tree / "b" / "loop").symlink_to(tree / "b")
    found = {item.report: item.refused for item in discover(["b"])}
    assert found == {
        "b/broken.csv": "it is a broken link",
        "b/in.csv": "",
        "b/out.csv": "it is a link out of the folder",
        "b/two.csv": "",
    }
    assert [item.refused for item in discover([str(outside), "b/out.csv"])] == ["", ""]
    assert discover(["/dev/null"])[0].refused == "it is not a plain file"


def test_a_name_that_is_not_utf8_is_spelled_out(tree: Path) -> None:
    (tree / "b" / "two.csv").rename(tree / "b" / "caf\udce9.csv")
    (found,) = discover(["b"])
    assert found.report == "b/caf\\xe9.csv"
    assert Path(found.path).read_text() == "b/two.csv"

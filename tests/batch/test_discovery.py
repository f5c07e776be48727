"""What paths stand for."""

import errno
import os
from pathlib import Path

import pytest

from ncuanalyze.batch.discovery import discover
from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.outcome import Ending
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


@pytest.mark.parametrize("path", ["none.csv", "none/*.csv", "a" * 5000, "/".join(["a" * 200] * 50), "*" * 300])
def test_a_path_that_does_not_exist(tree: Path, path: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        discover(["a", path])
    assert raised.value.hint
    assert len(str(raised.value)) < 200


def test_an_empty_folder_is_an_error_only_where_there_is_nothing_else(tree: Path) -> None:
    (tree / "empty").mkdir()
    assert [item.report for item in discover(["empty", "b"])] == ["b/two.csv"]
    assert [item.report for item in discover(["b", "b"], output=tree / "a")] == ["b/two.csv"]
    assert [item.report for item in discover(["b", "a"], output=tree / "a")] == ["b/two.csv"]
    for paths in (["empty"], ["empty", "a"]):
        with pytest.raises(InvalidInput, match="holds no report"):
            discover(paths, output=tree / "a")


def test_the_dataset_is_left_out_by_whatever_path(tree: Path) -> None:
    (tree / "way").symlink_to(tree / "a")
    assert [item.report for item in discover(["."], output=tree / "way")] == ["b/two.csv", "pack.zip"]
    with pytest.raises(InvalidInput):
        discover(["way/one.ncu-rep"], output=tree / "a")


def test_a_folder_that_cannot_be_listed_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = os.scandir

    def scandir(path: str) -> "os.ScandirIterator[str]":
        if path.endswith("deep"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = {item.report: item for item in discover(["a"])}
    assert sorted(found) == ["a/deep", "a/one.ncu-rep"]
    assert found["a/deep"].refused == "the folder cannot be listed: Permission denied"
    assert found["a/deep"].ending is Ending.UNREACHABLE


def test_a_folder_too_deep_is_told(tree: Path) -> None:
    start, name = Path.cwd(), "d" * 200
    for _ in range(25):
        Path(name).mkdir()
        os.chdir(name)
    Path("lost.csv").write_text("x")
    os.chdir(start)
    refused = [item for item in discover([str(tree)]) if item.refused]
    assert ["File name too long" in item.refused for item in refused] == [True]


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


def test_links_to_folders_are_told_where_they_lead_out(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # they were passed over without a word
    outside = tmp_path_factory.mktemp("outside")
    (outside / "lost.csv").write_text("x")
    links = {"out": outside, "up": tree, "in": tree / "b" / "deep", "data": tree / "data", "gone": tree / "none"}
    (tree / "b" / "deep" / "er").mkdir(parents=True)
    (tree / "data").mkdir()
    for name, target in links.items():
        (tree / "b" / "deep" / name).symlink_to(target)
    found = {item.report: item.refused for item in discover(["b"], output=tree / "data")}
    assert found == {
        "b/deep/gone": "it is a broken link",
        "b/deep/out": "it is a link out of the folder",
        "b/deep/up": "it is a link out of the folder",
        "b/two.csv": "",
    }
    assert discover(["b"])[1].hint == "Give a file."
    assert discover(["b"])[2].hint == "Name the folder itself to read it."
    assert [item.report for item in discover(["b/deep/out"])] == ["b/deep/out/lost.csv"]


def test_a_name_that_is_not_utf8_is_spelled_out(tree: Path) -> None:
    (tree / "b" / "two.csv").rename(tree / "b" / "caf\udce9.csv")
    (found,) = discover(["b"])
    assert found.report == "b/caf\\xe9.csv"
    assert Path(found.path).read_text() == "b/two.csv"


def test_names_that_read_alike_stay_apart(tree: Path) -> None:
    for name in ("a\udcff.csv", "a\\xff.csv", "a\\\\xff.csv", "a\\xf.csv", "a\\b.csv"):
        (tree / "b" / name).write_text(name.encode(errors="backslashreplace").decode())
    assert [found.report for found in discover(["b"])] == [
        "b/a\\\\\\\\xff.csv",
        "b/a\\\\xff.csv",
        "b/a\\b.csv",
        "b/a\\xf.csv",
        "b/a\\xff.csv",
        "b/two.csv",
    ]

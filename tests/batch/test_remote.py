"""Reports in an object store: read through fsspec, told apart by their version without fetching them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, content, run
from ncuanalyze.batch import staging
from ncuanalyze.batch.discovery import discover
from ncuanalyze.batch.remote import is_url
from ncuanalyze.errors import InvalidInput, MissingDependency

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.fixture
def bucket() -> Iterator[Any]:
    store = fsspec.filesystem("memory")
    for name in ("night/a/raw_units.csv", "night/kernel_names.csv", "night/trunc_000300.ncu-rep"):
        store.pipe(f"/{name}", (ODD / name.rsplit("/", 1)[-1]).read_bytes())
    store.pipe("/night/readme.md", b"no report")
    yield store
    store.store.clear()


def test_what_is_a_url() -> None:
    assert is_url("s3://bucket/night")
    assert not is_url("night/a.csv")


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("memory://night", ["a/raw_units.csv", "kernel_names.csv", "trunc_000300.ncu-rep"]),
        ("memory://night/*.csv", ["kernel_names.csv"]),
        ("memory://night/**/*.csv", ["a/raw_units.csv", "kernel_names.csv"]),
        ("memory://night/a/raw_units.csv", ["a/raw_units.csv"]),
    ],
)
def test_folders_globs_and_files(bucket: Any, url: str, names: list[str]) -> None:
    assert [found.report.split("night/", 1)[1] for found in discover([url])] == names


def test_a_remote_dataset_is_read_once(bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(["memory://night"], tmp_path / "out")
    assert (first.reports, first.errors, first.read) == (3, 1, 3)
    before = content(tmp_path / "out")
    with monkeypatch.context() as patch:
        patch.setattr(staging, "fetch", None)  # would fail
        again = run(["memory://night"], tmp_path / "out")
    assert (again.read, again.reused) == (0, 3)
    assert content(tmp_path / "out") == before

    bucket.pipe("/night/kernel_names.csv", (ODD / "thousands.csv").read_bytes())
    assert run(["memory://night"], tmp_path / "out").read == 1


def test_a_file_that_cannot_be_fetched_is_an_error(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(bucket), "open", lambda *_, **__: (_ for _ in ()).throw(PermissionError("denied")))
    result = run(["memory://night/kernel_names.csv"], tmp_path / "out")
    assert (result.reports, result.errors) == (1, 1)
    assert "cannot read kernel_names.csv: denied" in (tmp_path / "out" / "errors.jsonl").read_text()


def test_a_file_that_could_not_be_fetched_is_tried_again(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # its version had not changed, so nobody asked again
    with monkeypatch.context() as patch:
        patch.setattr(type(bucket), "open", lambda *_, **__: (_ for _ in ()).throw(PermissionError("denied")))
        assert run(["memory://night/kernel_names.csv"], tmp_path / "out").errors == 1
    again = run(["memory://night/kernel_names.csv"], tmp_path / "out")
    assert (again.read, again.errors) == (1, 0)


def test_an_absurd_size_is_not_fetched(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncuanalyze.batch.remote.MOST_BYTES", 10)
    assert all("bytes" in found.refused for found in discover(["memory://night"]))


@pytest.mark.parametrize(
    ("url", "error"), [("memory://none/at/all.csv", InvalidInput), ("nosuchstore://a/b", MissingDependency)]
)
def test_what_is_not_there(bucket: Any, url: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        discover([url])

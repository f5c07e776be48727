"""Reports in an object store: read through fsspec, told apart by their version without fetching them."""

import gzip
import io
import json
import os
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, InProcess, content, run
from ncuanalyze.batch import staging
from ncuanalyze.batch.discovery import discover
from ncuanalyze.batch.engine import ReaderSettings
from ncuanalyze.batch.in_time import Headway, in_time
from ncuanalyze.batch.ledger import read_ledger
from ncuanalyze.batch.limits import Limits
from ncuanalyze.batch.remote import is_url
from ncuanalyze.batch.run import run_batch
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


@pytest.mark.parametrize("url", ["file://{}/night/pipe.csv", "file://{}/night", "file://{}/night/*.csv"])
def test_what_is_no_file_is_refused_unopened(tmp_path: Path, url: str) -> None:
    (tmp_path / "night").mkdir()
    os.mkfifo(tmp_path / "night" / "pipe.csv")  # opening it waits for a writer that never comes
    result = run([url.format(tmp_path)], tmp_path / "out")
    assert (result.reports, result.errors) == (1, 1)
    assert "not a plain file" in (tmp_path / "out" / "errors.jsonl").read_text()


def test_a_name_that_is_no_utf8_is_escaped(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/night/caf\xe9.csv"
    (tmp_path / "night").mkdir()
    Path(os.fsdecode(name)).write_bytes((ODD / "raw_units.csv").read_bytes())
    result = run([f"file://{tmp_path}/night"], tmp_path / "out")
    assert (result.reports, result.errors) == (1, 0)
    assert run([os.fsdecode(b"file://" + name)], tmp_path / "out").reused == 1
    (entry,) = read_ledger(tmp_path / "out" / "reports.jsonl")
    assert entry.report.endswith("/night/caf\\xe9.csv")


QUICK = ReaderSettings(limits=Limits(timeout_s=0.3))


class Impatient(InProcess):
    """Waits for nothing."""

    limits = QUICK.limits


def hang(*_: object, **__: object) -> None:
    time.sleep(20)


@pytest.mark.parametrize("where", ["isdir", "open"])
@pytest.mark.parametrize("name", ["raw_units.csv", "night.zip"])
def test_a_store_that_does_not_answer_is_unreachable(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, name: str
) -> None:
    bucket.pipe(f"/night/a/{name}", (ODD / "raw_units.csv").read_bytes())
    monkeypatch.setattr(type(bucket), where, hang)
    if where == "isdir":
        monkeypatch.setattr(type(bucket), "open", hang)
    started = time.monotonic()
    urls = [f"memory://night/a/{name}"]
    result = run_batch(urls, tmp_path / "out", engine=Impatient(), settings=QUICK)
    assert (result.reports, result.errors) == (1, 1)
    assert "it took longer than 0.3 s" in (tmp_path / "out" / "errors.jsonl").read_text()
    assert time.monotonic() - started < 10


def test_a_folder_that_is_not_listed_in_time_is_an_error(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(bucket), "isdir", hang)
    with pytest.raises(InvalidInput, match=r"cannot list memory://night: it took longer than 0\.2 s"):
        discover(["memory://night"], timeout_s=0.2)


def test_an_error_without_words_is_named(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(bucket), "find", lambda *_, **__: (_ for _ in ()).throw(ConnectionError()))
    with pytest.raises(InvalidInput, match="cannot list memory://night: ConnectionError"):
        discover(["memory://night"])


def test_a_file_that_drips_is_left_and_one_that_flows_is_not() -> None:
    def drip(headway: Headway, size: int) -> int:
        for _ in range(10):
            time.sleep(0.1)
            headway.more(size)
        return headway.size

    with pytest.raises(TimeoutError):
        in_time(lambda headway: drip(headway, 1), 0.3)
    assert in_time(lambda headway: drip(headway, 1 << 20), 0.3) == 10 << 20


@pytest.fixture
def zips(tmp_path: Path) -> str:
    """The URL of a folder with two archives, each with its own report of one name."""
    for name, fixture in (("one.zip", "raw_units.csv"), ("two.zip", "kernel_names.csv")):
        with zipfile.ZipFile(tmp_path / name, "w") as packed:
            for member in ("same.csv", "deep/same.csv", "readme.md"):
                packed.write(ODD / fixture, member)
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as packed:
        packed.write(tmp_path / "one.zip", "one.zip")
    return f"file://{tmp_path}"


CHAINS = {
    "zip://same.csv::{}/one.zip": ["zip://same.csv::{}/one.zip"],
    "zip://::{}/one.zip": ["zip://deep/same.csv::{}/one.zip", "zip://same.csv::{}/one.zip"],
    "zip://deep::{}/two.zip": ["zip://deep/same.csv::{}/two.zip"],
    "zip://*.csv::{}/two.zip": ["zip://same.csv::{}/two.zip"],
    "zip://same.csv::zip://one.zip::{}/outer.zip": ["zip://same.csv::zip://one.zip::{}/outer.zip"],
    "zip://one.zip::{}/outer.zip": ["zip://one.zip::{}/outer.zip!/deep/same.csv", "zip://one.zip::{}/outer.zip!/same.csv"],
    "simplecache::zip://same.csv::{}/one.zip": ["zip://same.csv::{}/one.zip"],
    "simplecache::{}/one.zip": ["{}/one.zip!/deep/same.csv", "{}/one.zip!/same.csv"],
}


@pytest.mark.parametrize("url", CHAINS)
def test_a_chain_of_urls_is_kept_whole(zips: str, tmp_path: Path, url: str) -> None:
    # the links behind the first were lost: with them the place, and one of two reports
    result = run([url.format(zips)], tmp_path / "out")
    names = [entry.report for entry in read_ledger(tmp_path / "out" / "reports.jsonl")]
    assert (names, result.errors) == ([name.format(zips) for name in CHAINS[url]], 0)


def test_one_name_in_two_chains_is_two_reports(zips: str, tmp_path: Path) -> None:
    urls = [f"zip://same.csv::{zips}/{name}.zip" for name in ("one", "two")]
    assert run(urls, tmp_path / "out").kernels == sum(run([url], tmp_path / url[-7:-4]).kernels for url in urls)
    with gzip.open(tmp_path / "out" / "diagnoses" / "part-00000.jsonl.gz", "rt") as lines:
        assert {json.loads(line)["source"]["file"] for line in lines} == {"same.csv"}


def test_a_chain_is_told_by_its_bytes(tmp_path: Path) -> None:
    # the dates in a tar say nothing of what it holds now
    url = f"tar://one.csv::file://{tmp_path}/night.tar"
    for data, reused in ((b"a" * 99, 0), (b"a" * 99, 1), (b"b" * 99, 0)):
        with tarfile.open(tmp_path / "night.tar", "w") as packed:
            info = tarfile.TarInfo("one.csv")
            info.size, info.mtime = len(data), 1
            packed.addfile(info, io.BytesIO(data))
        assert run([url], tmp_path / "out").reused == reused


BRACKETS = {
    "file://{}/a[1]": ["file://{}/a[1]/r[2].csv", "file://{}/a[1]/two.csv"],
    "file://{}/a[1]/r[2].csv": ["file://{}/a[1]/r[2].csv"],
    "file://{}/a[1]/[rt]*.csv": ["file://{}/a1/two.csv"],
    "file://{}/a[1-2]/*.csv": ["file://{}/a1/two.csv"],
    "file://{}/*/two.csv": ["file://{}/a1/two.csv", "file://{}/a[1]/two.csv"],
}


@pytest.mark.parametrize("url", BRACKETS)
def test_what_is_there_by_its_very_name_is_no_glob(tmp_path: Path, url: str) -> None:
    for name in ("a[1]/r[2].csv", "a[1]/two.csv", "a1/two.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ODD / "raw_units.csv").read_bytes())
    assert run([url.format(tmp_path)], tmp_path / "out").errors == 0
    names = [entry.report for entry in read_ledger(tmp_path / "out" / "reports.jsonl")]
    assert names == [name.format(tmp_path) for name in BRACKETS[url]]

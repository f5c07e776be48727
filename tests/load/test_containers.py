"""Whatever a report is packed in, by content; bombs and damage are refused."""

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile

import pytest
from click.testing import CliRunner

from load.paths import ODD
from ncuanalyze.cli.main import group
from ncuanalyze.errors import MissingDependency, UnreadableReport
from ncuanalyze.load import container, load, streams

REPORT = (ODD / "small_3kernels.ncu-rep").read_bytes()
EXPORT = (ODD / "raw_units.csv").read_bytes()


def zipped(*names, content=EXPORT, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name in names:
            archive.writestr(name, content)
    return out.getvalue()


def zstd(content):
    return pytest.importorskip("zstandard").ZstdCompressor().compress(content)


@pytest.mark.parametrize("content", [REPORT, EXPORT], ids=["report", "csv"])
@pytest.mark.parametrize(
    "pack", [lzma.compress, gzip.compress, bz2.compress, zstd, lambda c: zipped("a/report", content=c)]
)
@pytest.mark.parametrize("name", ["misnamed.txt", "report.ncu-rep", "report.ncu-repz"])
def test_packed(content, pack, name, tmp_path):
    path = tmp_path / name
    path.write_bytes(pack(content))
    assert len(load(path).launches) == 3


def test_packed_twice(tmp_path):
    path = tmp_path / "report.csv.gz.xz"
    path.write_bytes(lzma.compress(gzip.compress(EXPORT)))
    assert len(load(path).launches) == 3


@pytest.mark.parametrize("name", ["report.ncu-repz", "report.ncu-rep"])
def test_zstd_report_needs_no_library(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(zstd(REPORT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert len(load(path).launches) == 3


def test_zstd_export_needs_the_library(tmp_path, monkeypatch):
    path = tmp_path / "report.csv.zst"
    path.write_bytes(zstd(EXPORT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingDependency) as raised:
        load(path)
    assert "ncuanalyze[zstd]" in raised.value.hint


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress, bz2.compress, zstd, lambda c: zipped("a", content=c)])
def test_bomb_is_refused(pack, tmp_path, monkeypatch):
    monkeypatch.setattr(container, "_MIN_LIMIT", 1 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(pack(b"\x00" * (8 << 20)))
    with pytest.raises(UnreadableReport, match="unpacks to more than"):
        load(path)


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress, bz2.compress, zstd, lambda c: zipped("a", content=c)])
@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_cut_archive(pack, keep, tmp_path):
    packed = pack(REPORT)
    path = tmp_path / "cut"
    path.write_bytes(packed[: int(len(packed) * keep)])
    with pytest.raises(UnreadableReport, match=r"damaged or truncated|truncated or damaged"):
        load(path)


STREAMS = [lzma.compress, gzip.compress, bz2.compress, zstd]


@pytest.mark.parametrize("pack", STREAMS)
@pytest.mark.parametrize("padding", [b"", bytes(4), bytes(70_000)])
def test_every_stream_counts(pack, padding, tmp_path):
    # only the first stream of an xz file was read, and looked whole
    middle = EXPORT.rindex(b"\n", 0, -1) + 1
    path = tmp_path / "streams"
    path.write_bytes(pack(EXPORT[:middle]) + padding + pack(EXPORT[middle:]) + padding)
    assert len(load(path).launches) == 3


@pytest.mark.parametrize("pack", STREAMS)
@pytest.mark.parametrize("garbage", [b"x", b"garbage of some length" * 9, b"\0\0\0x"])
def test_garbage_behind_a_stream(pack, garbage, tmp_path):
    path = tmp_path / "garbage"
    path.write_bytes(pack(EXPORT) + garbage)
    with pytest.raises(UnreadableReport, match="damaged or truncated"):
        load(path)


@pytest.mark.parametrize("pack", STREAMS)
def test_cut_in_the_second_stream(pack, tmp_path):
    path = tmp_path / "cut"
    path.write_bytes(pack(EXPORT) + pack(EXPORT)[:-5])
    with pytest.raises(UnreadableReport, match="damaged or truncated"):
        load(path)


@pytest.mark.parametrize("pack", STREAMS)
def test_streams_without_end(pack, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "MAX_STREAMS", 50)
    path = tmp_path / "many"
    path.write_bytes(pack(b"") * 51)
    with pytest.raises(UnreadableReport, match="more than 50 streams"):
        load(path)


def test_archive_behind_an_archive(tmp_path):
    # the first of them was passed over
    path = tmp_path / "two.zip"
    path.write_bytes(zipped("a.csv") + zipped("b.csv"))
    with pytest.raises(UnreadableReport, match="in front of the archive"):
        load(path)


def test_flipped_archive(tmp_path):
    packed = bytearray(gzip.compress(REPORT))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "flipped.gz"
    path.write_bytes(packed)
    with pytest.raises(UnreadableReport, match="gzip file is damaged"):
        load(path)


@pytest.mark.parametrize(
    ("names", "words"), [((), "holds 0 files"), (("a.csv", "b.csv"), "holds 2 files: a.csv, b.csv")]
)
def test_zip_with_any_other_number_of_files(names, words, tmp_path):
    path = tmp_path / "many.zip"
    path.write_bytes(zipped(*names))
    with pytest.raises(UnreadableReport, match=words):
        load(path)


def test_zip_of_a_mac(tmp_path):
    path = tmp_path / "mac.zip"
    path.write_bytes(zipped("r/", "r/report.csv", "__MACOSX/r/._report.csv", "r/.DS_Store"))
    assert len(load(path).launches) == 3


def test_zip_member_cannot_leave_the_folder(tmp_path):
    path = tmp_path / "slip.zip"
    path.write_bytes(zipped("../../escaped.csv"))
    assert len(load(path).launches) == 3
    assert not list(tmp_path.parent.glob("escaped.csv"))


def test_unpacked_copy_goes_away_with_the_profile(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    path = tmp_path / "report.xz"
    path.write_bytes(lzma.compress(REPORT))
    profile = load(path)
    assert len(list((tmp_path / "scratch").iterdir())) == 1
    del profile
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("content", [REPORT, EXPORT, gzip.compress(EXPORT)])
def test_standard_input(content, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    profile = load("-")
    assert len(profile.launches) == 3
    assert profile.path == "standard input"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (REPORT, ["diagnose"]),
        (EXPORT, ["metrics"]),
        (EXPORT, ["compare", str(ODD / "raw_units.csv")]),
        (gzip.compress(EXPORT), ["diagnose"]),
    ],
)
def test_pipe(content, words, tmp_path):
    # it was opened several times, and empty from the second time on
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    result = CliRunner().invoke(group, [*words, str(pipe)])
    writer.join()
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("path", "words"), [("no/such/file", "No such file"), (".", "is a folder")])
def test_what_cannot_be_opened(path, words):
    with pytest.raises(UnreadableReport, match=words) as raised:
        load(path)
    assert raised.value.hint

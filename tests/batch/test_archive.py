"""Archives of reports: read like a folder; what is hostile in one is refused and costs nothing else."""

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from ncuanalyze.batch import archive as archives
from ncuanalyze.batch.archive import Member, TooLarge, members_of
from ncuanalyze.batch.unpacking import unpacked_members
from ncuanalyze.errors import UnreadableReport

REPORT = (Path(__file__).parents[2] / "fixtures" / "odd" / "raw_units.csv").read_bytes()
MODES = {"tar": "w", "tgz": "w:gz", "tar.xz": "w:xz", "tar.bz2": "w:bz2"}


def make_zip(file: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return file


def make_tar(file: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(file, mode) as packed:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return file


def found(archive: Path, folder: Path) -> list[Member]:
    folder.mkdir(exist_ok=True)
    return list(members_of(archive, folder))


@pytest.mark.parametrize("kind", ["zip", *MODES])
def test_reports_come_out_whole_and_in_order(tmp_path: Path, kind: str) -> None:
    members = {"b/two.csv": REPORT, "./a/one.csv": REPORT + b"\n", "README.md": b"x", "__MACOSX/._one.csv": b"x"}
    file = tmp_path / f"night.{kind}"
    made = make_zip(file, members) if kind == "zip" else make_tar(file, members, MODES[kind])
    out = found(made, tmp_path / "out")
    assert [member.name for member in out] == ["b/two.csv", "a/one.csv"]
    assert [Path(member.file).read_bytes() for member in out] == [REPORT, REPORT + b"\n"]


def test_a_zstd_archive_needs_its_library(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    plain = make_tar(tmp_path / "plain.tar", {"one.csv": REPORT})
    packed = tmp_path / "night.tar.zst"
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    assert [Path(member.file).read_bytes() for member in found(packed, tmp_path / "out")] == [REPORT]


HOSTILE = {
    "../up.csv": "out of the archive",
    "/etc/cron.csv": "out of the archive",
    "a/../../up.csv": "out of the archive",
    "C:/windows.csv": "out of the archive",
    "back\\slash.csv": "out of the archive",
    "bell\x07.csv": "control characters",
    "x" * 1100 + ".csv": "too long",
    "inner.zip": "inside an archive",
    "inner.tar.gz": "inside an archive",
}


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:12].encode("unicode_escape").decode())
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    members = {name: REPORT, "good.csv": REPORT}
    file = tmp_path / f"night.{kind}"
    out = found(make_zip(file, members) if kind == "zip" else make_tar(file, members), tmp_path / "out")
    assert len(out) == 2
    assert HOSTILE[name] in out[0].refused
    assert (out[1].name, out[1].refused) == ("good.csv", "")
    assert list((tmp_path / "out").iterdir()) == [Path(out[1].file)]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_of_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    with tarfile.open(tmp_path / "night.tar", "w") as packed:
        info = tarfile.TarInfo("link.csv")
        info.type, info.linkname = kind, "/etc/passwd"
        packed.addfile(info)
    assert "not a plain file" in found(tmp_path / "night.tar", tmp_path / "out")[0].refused


def test_a_link_of_a_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "night.zip", "w") as packed:
        info = zipfile.ZipInfo("link.csv")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(info, "/etc/passwd")
    assert "a link" in found(tmp_path / "night.zip", tmp_path / "out")[0].refused


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_second_member_of_one_name_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "night.zip", "w") as packed:
        packed.writestr("one.csv", REPORT)
        packed.writestr("one.csv", b"other")
    assert [member.refused for member in found(tmp_path / "night.zip", tmp_path / "out")] == [
        "",
        "a second member of this name",
    ]


def test_a_damaged_member_costs_itself(tmp_path: Path) -> None:
    file = make_zip(tmp_path / "night.zip", {"bad.csv": REPORT * 9, "good.csv": REPORT})
    data = bytearray(file.read_bytes())
    data[60] ^= 0xFF
    file.write_bytes(data)
    bad, good = found(file, tmp_path / "out")
    assert "damaged" in bad.refused
    assert Path(good.file).read_bytes() == REPORT


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_a_bomb_is_stopped_early(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LEAST_LIMIT_BYTES", 1 << 20)
    file = tmp_path / f"bomb.{kind}"
    bomb = {"bomb.csv": bytes(16 << 20)}
    made = make_zip(file, bomb) if kind == "zip" else make_tar(file, bomb, "w:gz")
    with pytest.raises(TooLarge, match="unpacks to more than"):
        found(made, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_many_small_members_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LEAST_LIMIT_BYTES", 1 << 20)
    monkeypatch.setattr(archives, "MOST_RATIO", 1)
    file = make_zip(tmp_path / "bomb.zip", {f"{n}.csv": bytes(300_000) for n in range(5)})
    with pytest.raises(TooLarge):
        found(file, tmp_path / "out")


@pytest.mark.parametrize(("kind", "before"), [("zip", 0), ("tgz", 3)])
def test_a_crowd_of_members_is_refused(tmp_path: Path, kind: str, before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LEAST_LIMIT_MEMBERS", 3)
    file = tmp_path / f"crowd.{kind}"
    members = {f"{n}.csv": b"" for n in range(3)}
    made = make_zip(file, members) if kind == "zip" else make_tar(file, members, "w:gz")
    assert [member.refused for member in found(made, tmp_path / "out")] == ["an empty file"] * 3
    members |= {"3.csv": b"", "README.md": b""}
    made = make_zip(file, members) if kind == "zip" else make_tar(file, members, "w:gz")
    came = members_of(made, tmp_path / "out")
    assert [next(came).name for _ in range(before)] == [f"{n}.csv" for n in range(before)]
    with pytest.raises(TooLarge, match="more than 3 reports in"):
        next(came)
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize("members", [4, 5])
def test_a_large_archive_may_hold_more(tmp_path: Path, members: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LEAST_LIMIT_MEMBERS", 1)
    file = make_zip(tmp_path / "night.zip", {f"{n}.csv": REPORT for n in range(members)})
    monkeypatch.setattr(archives, "BYTES_PER_MEMBER", file.stat().st_size // 4)
    if members == 4:
        assert len(found(file, tmp_path / "out")) == members
    else:
        with pytest.raises(TooLarge):
            found(file, tmp_path / "out")


def test_the_process_that_unpacks_gives_the_same(tmp_path: Path) -> None:
    file = make_tar(tmp_path / "night.tgz", {"a.csv": REPORT, "../b.csv": REPORT}, "w:gz")
    good, refused = unpacked_members(file, tmp_path, timeout_s=30)
    assert (good.name, Path(good.file).read_bytes()) == ("a.csv", REPORT)
    assert "out of the archive" in refused.refused


def test_a_crowd_is_not_called_damaged(tmp_path: Path) -> None:
    file = make_zip(tmp_path / "crowd.zip", {f"{n}.csv": b"" for n in range(100_001)})
    with pytest.raises(UnreadableReport, match=r"^it holds more than 100,000 reports in [\d,]+ bytes$") as raised:
        list(unpacked_members(file, tmp_path, timeout_s=60))
    assert raised.value.hint == "Split it into smaller archives if it is genuine."


BROKEN = {
    "text": b"this is no archive at all" * 40,
    "empty": b"",
    "half a zip": b"PK\x03\x04" + bytes(200),
    "half a gzip": b"\x1f\x8b\x08\x00" + bytes(200),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_archive_is_one_error(tmp_path: Path, name: str) -> None:
    file = tmp_path / "night.tar.gz"
    file.write_bytes(BROKEN[name])
    with pytest.raises(UnreadableReport, match="damaged or no archive") as raised:
        list(unpacked_members(file, tmp_path, timeout_s=30))
    assert raised.value.hint


def test_a_cut_archive_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    whole = make_tar(tmp_path / "whole.tar", {"a.csv": REPORT, "b.csv": REPORT * 50})
    cut = tmp_path / "cut.tar"
    cut.write_bytes(whole.read_bytes()[:4000])
    members = unpacked_members(cut, tmp_path, timeout_s=30)
    assert Path(next(members).file).read_bytes() == REPORT
    with pytest.raises(UnreadableReport):
        assert all(member.refused for member in members)
        raise AssertionError("the end of the archive went unnoticed")


def test_a_hostile_header_does_not_take_the_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 64 << 30  # claims a header of 64 GiB
    (tmp_path / "night.tar").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20))
    with pytest.raises(UnreadableReport):
        list(unpacked_members(tmp_path / "night.tar", tmp_path, timeout_s=30))

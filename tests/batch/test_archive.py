"""Archives of reports: read like a folder; what is hostile in one is refused and costs nothing else."""

import bz2
import contextlib
import copy
import errno
import gzip
import io
import lzma
import os
import resource
import shutil
import stat
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import IO

import pytest

from ncuanalyze.batch import archive_limits as limits
from ncuanalyze.batch.archive import Member, members_of
from ncuanalyze.batch.archive_limits import TooLarge
from ncuanalyze.batch.machine_errors import is_of_this_machine
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.batch.unpacking import NotUnpacked, unpacked_members
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


def test_a_bomb_in_a_tar_is_stopped_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_BYTES", 1 << 20)
    bomb = make_tar(tmp_path / "bomb.tgz", {"bomb.csv": bytes(16 << 20)}, "w:gz")
    with pytest.raises(TooLarge, match="unpacks to more than"):
        found(bomb, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_a_bomb_in_a_zip_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_BYTES", 1 << 20)
    made = make_zip(tmp_path / "bomb.zip", {"a.csv": REPORT, "bomb.csv": bytes(16 << 20), "b.csv": REPORT})
    before, bomb, behind = found(made, tmp_path / "out")
    assert "with it the archive unpacks to more than" in bomb.refused
    assert [Path(member.file).read_bytes() for member in (before, behind)] == [REPORT, REPORT]
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_many_small_members_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_BYTES", 1 << 20)
    monkeypatch.setattr(limits, "MOST_RATIO", 1)
    file = make_zip(tmp_path / "bomb.zip", {f"{n}.csv": bytes(300_000) for n in range(5)})
    assert [bool(member.refused) for member in found(file, tmp_path / "out")] == [False, False, False, True, True]


def test_a_member_that_is_larger_than_it_says_is_cut_off(tmp_path: Path) -> None:
    file = make_zip(tmp_path / "bomb.zip", {"bomb.csv": bytes(16 << 20), "good.csv": REPORT})
    data = file.read_bytes()
    file.write_bytes(data.replace((16 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    bomb, good = found(file, tmp_path / "out")
    assert "damaged" in bomb.refused
    assert not good.refused


def test_members_that_share_their_data_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("0.csv", bytes(1 << 20))
        first = packed.infolist()[0]
        for number in range(1, 200):
            other = copy.copy(first)
            other.filename = f"{number}.csv"
            packed.filelist.append(other)
            packed.NameToInfo[other.filename] = other
        packed.writestr("good.csv", REPORT)
    out = found(tmp_path / "bomb.zip", tmp_path / "out")
    assert len(out) == 201
    assert sum("overlaps" in member.refused for member in out) == 199
    assert all(member.refused for member in out[:-1])
    assert Path(out[-1].file).read_bytes() == REPORT


def test_a_member_whose_block_takes_the_memory_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_zip(tmp_path / "bomb.zip", {"good.csv": REPORT, "bomb.csv": REPORT, "behind.csv": REPORT})
    opened = zipfile.ZipFile.open

    def take(self: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
        if info.filename == "bomb.csv":
            raise MemoryError("Unable to allocate output buffer.")
        return opened(self, info)

    monkeypatch.setattr(zipfile.ZipFile, "open", take)
    out = found(made, tmp_path / "out")
    assert [member.refused for member in out] == ["", "unpacking it takes too much memory", ""]


def test_an_archive_is_unpacked_beside_many_open_files(tmp_path: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 1200:
        pytest.skip("so many files cannot be open here")
    file = make_zip(tmp_path / "night.zip", {"a.csv": REPORT})
    with contextlib.ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(Path(os.devnull).open())
        assert [member.name for member in unpacked_members(file, tmp_path, timeout_s=30)] == ["a.csv"]


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    program = shutil.which("zip")
    if program is None:
        pytest.skip("no zip")
    (tmp_path / "secret.csv").write_bytes(REPORT)
    (tmp_path / "good.csv").write_bytes(REPORT)
    for password, name in (["-P", "secret"], "secret.csv"), ([], "good.csv"):
        subprocess.run([program, "-q", *password, "night.zip", name], cwd=tmp_path, check=True)
    assert [member.refused for member in found(tmp_path / "night.zip", tmp_path / "out")] == ["encrypted", ""]


@pytest.mark.parametrize(("kind", "before"), [("zip", 0), ("tgz", 3)])
def test_a_crowd_of_members_is_refused(tmp_path: Path, kind: str, before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_MEMBERS", 3)
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
    monkeypatch.setattr(limits, "LEAST_LIMIT_MEMBERS", 1)
    file = make_zip(tmp_path / "night.zip", {f"{n}.csv": REPORT for n in range(members)})
    monkeypatch.setattr(limits, "BYTES_PER_MEMBER", file.stat().st_size // 4)
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full")
@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_a_full_disk_is_not_damage_of_the_archive(tmp_path: Path, kind: str) -> None:
    members = {"a.csv": REPORT, "b.csv": REPORT * 9}
    file = tmp_path / f"night.{kind}"
    made = make_zip(file, members) if kind == "zip" else make_tar(file, members, "w:gz")
    (tmp_path / "1.report").symlink_to("/dev/full")
    members_before = unpacked_members(made, tmp_path, timeout_s=30)
    assert next(members_before).name == "a.csv"
    with pytest.raises(NotUnpacked, match=r"^it cannot be unpacked here: No space left on device$") as raised:
        next(members_before)
    assert raised.value.ending is Ending.UNREACHABLE


def test_what_the_system_refuses_is_not_damage() -> None:
    refused = [OSError(code, "said") for code in (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.EIO)]
    assert all(is_of_this_machine(error) for error in refused)
    broken = [OSError("Invalid data stream"), gzip.BadGzipFile("x"), OSError(errno.EINVAL, "said"), ValueError()]
    assert not any(is_of_this_machine(error) for error in broken)


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


PACKERS = {"tar": bytes, "tgz": gzip.compress, "tar.bz2": bz2.compress, "tar.xz": lzma.compress}


def after_the_good(file: Path, folder: Path, *, good: int) -> str:
    """The error behind so many good members."""
    came = unpacked_members(file, folder, timeout_s=30)
    for number in range(good):
        assert Path(next(came).file).read_bytes() == REPORT, number
    with pytest.raises(UnreadableReport) as raised:
        assert all(member.refused for member in came)
    return str(raised.value)


def plain_tar(folder: Path, members: int) -> bytes:
    return make_tar(folder / "plain.tar", {f"{n}.csv": REPORT for n in range(members)}).read_bytes()


MEMBER = 512 + -(-len(REPORT) // 512) * 512
"""What one member takes of a tar."""


@pytest.mark.parametrize("kind", PACKERS)
def test_streams_one_after_the_other_are_one_archive(tmp_path: Path, kind: str) -> None:
    plain, pack = plain_tar(tmp_path, 10), PACKERS[kind]
    file = tmp_path / f"night.{kind}"
    file.write_bytes(pack(plain[: 3 * MEMBER + 100]) + pack(b"") + pack(plain[3 * MEMBER + 100 :]) + bytes(1024))
    assert [member.name for member in found(file, tmp_path / "out")] == [f"{n}.csv" for n in range(10)]


def test_zstd_frames_one_after_the_other_are_one_archive(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    plain, skippable = plain_tar(tmp_path, 10), b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    file = tmp_path / "night.tar.zst"
    whole = skippable + zstandard.compress(plain[:9000]) + skippable + zstandard.compress(plain[9000:])
    file.write_bytes(whole)
    assert len(found(file, tmp_path / "out")) == 10
    file.write_bytes(whole[:-9])
    with pytest.raises(EOFError, match="the end is missing"):
        found(file, tmp_path / "out")


def test_a_flipped_bit_in_a_header_is_damage(tmp_path: Path) -> None:
    data = bytearray(plain_tar(tmp_path, 5))
    data[2 * MEMBER + 20] ^= 1
    (tmp_path / "night.tar").write_bytes(data)
    assert "damaged or no archive" in after_the_good(tmp_path / "night.tar", tmp_path, good=2)


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("more", [0, 100], ids=["at a boundary", "in a header"])
def test_a_tar_without_its_end_marker_is_damage(tmp_path: Path, kind: str, more: int) -> None:
    file = tmp_path / f"night.{kind}"
    file.write_bytes(PACKERS[kind](plain_tar(tmp_path, 5)[: 3 * MEMBER + more]))
    assert "end marker should be there" in after_the_good(file, tmp_path, good=3)


@pytest.mark.parametrize("kind", ["tgz", "tar.bz2", "tar.xz"])
@pytest.mark.parametrize("cut", [1, 3, 8])
def test_a_compressed_stream_that_stops_is_damage(tmp_path: Path, kind: str, cut: int) -> None:
    file = tmp_path / f"night.{kind}"
    file.write_bytes(PACKERS[kind](plain_tar(tmp_path, 5))[:-cut])
    with pytest.raises((EOFError, OSError, ValueError), match="the end is missing"):
        found(file, tmp_path / "out")


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(plain_tar(tmp_path, 500)))
    data[-6] ^= 1
    (tmp_path / "night.tgz").write_bytes(data)
    before = 500 * MEMBER // (1 << 16) * (1 << 16) // MEMBER  # unpacked 64 KiB at a time
    assert "incorrect data check" in after_the_good(tmp_path / "night.tgz", tmp_path, good=before)


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("behind", [b"rubbish", b"a.csv" + bytes(507)], ids=["rubbish", "a member"])
def test_what_follows_the_end_is_said(tmp_path: Path, kind: str, behind: bytes) -> None:
    file = tmp_path / f"night.{kind}"
    file.write_bytes(PACKERS[kind](plain_tar(tmp_path, 5)) + behind)
    assert "damaged or no archive" in after_the_good(file, tmp_path, good=5)


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("zeros", [512, 1024, 1025, 5 << 20])
def test_any_number_of_zeros_at_the_end_is_fine(tmp_path: Path, kind: str, zeros: int) -> None:
    file = tmp_path / f"night.{kind}"
    file.write_bytes(PACKERS[kind](plain_tar(tmp_path, 2)[: 2 * MEMBER] + bytes(zeros)))
    assert len(found(file, tmp_path / "out")) == 2


def test_zeros_at_the_end_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_BYTES", 1 << 20)
    file = tmp_path / "night.tgz"
    file.write_bytes(gzip.compress(plain_tar(tmp_path, 2) + bytes(16 << 20)))
    with pytest.raises(TooLarge):
        found(file, tmp_path / "out")


def test_what_is_passed_over_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LEAST_LIMIT_BYTES", 1 << 20)
    with pytest.raises(TooLarge):
        found(make_tar(tmp_path / "night.tgz", {"README": bytes(16 << 20)}, "w:gz"), tmp_path / "out")


def test_a_hostile_header_does_not_take_the_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 64 << 30  # claims a header of 64 GiB
    (tmp_path / "night.tar").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20))
    with pytest.raises(UnreadableReport):
        list(unpacked_members(tmp_path / "night.tar", tmp_path, timeout_s=30))


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def pax(kind: bytes = tarfile.REGTYPE, file: str = "claim.csv", **records: str) -> bytes:
    info = tarfile.TarInfo(file)
    info.type, info.pax_headers = kind, {name.replace("__", "."): value for name, value in records.items()}
    return info.tobuf(tarfile.PAX_FORMAT)


def sparse_with_more_to_come() -> bytes:
    block = bytearray(header("claim.csv", 512, tarfile.GNUTYPE_SPARSE))
    block[482] = 1
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + sum(block[156:512]) + 8 * 32)
    return bytes(block)


HUGE, MORE, ODD_SIZE = 10**26, "one member claims more", "a size that none has"
CLAIMS = {
    "pax": (pax(size="9" * 30), MORE),
    "pax, of a member that is passed over": (pax(file="README", size="9" * 30), MORE),
    "pax, below zero": (pax(size="-1024"), "a size below zero"),
    "pax, for all that follow": (pax(tarfile.XGLTYPE, size="9" * 30) + header("claim.csv", 0), MORE),
    "pax, of a sparse file": (pax(size="1", GNU__sparse__map="0,1", GNU__sparse__size="9" * 30), MORE),
    "base 256": (header("claim.csv", HUGE), MORE),
    "base 256, below zero": (header("claim.csv", -1000), ODD_SIZE),
    "an unknown kind": (header("claim.csv", HUGE, b"Z"), MORE),
    "a sparse file": (header("claim.csv", HUGE, tarfile.GNUTYPE_SPARSE), MORE),
    "a sparse file without its map": (sparse_with_more_to_come(), "the end is missing"),
    "records": (header("claim.csv", HUGE, tarfile.XHDTYPE), ODD_SIZE),
    "records below zero": (header("claim.csv", -512, tarfile.XGLTYPE), ODD_SIZE),
    "a long name": (header("claim.csv", (1 << 20) + 1, tarfile.GNUTYPE_LONGNAME), ODD_SIZE),
}
CLAIM_PACKERS = {**PACKERS, "tar.zst": None}


@pytest.mark.parametrize("kind", CLAIM_PACKERS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_beyond_the_limits_ends_the_archive_at_once(tmp_path: Path, kind: str, claim: str) -> None:
    # tarfile skipped what it believed was there, a block after the other, behind the end of the file
    pack = CLAIM_PACKERS[kind] or pytest.importorskip("zstandard").compress
    block, said = CLAIMS[claim]
    rest = b"" if said == "the end is missing" else bytes(4096)
    (tmp_path / f"night.{kind}").write_bytes(pack(plain_tar(tmp_path, 1)[:MEMBER] + block + rest))
    came = members_of(tmp_path / f"night.{kind}", tmp_path)
    assert next(came).name == "0.csv"
    with pytest.raises((TooLarge, tarfile.ReadError), match=said):
        next(came)


def test_a_sparse_file_may_be_larger_than_what_is_stored_of_it(tmp_path: Path) -> None:
    block = pax(GNU__sparse__map="0,1", GNU__sparse__size="9" * 15)
    (tmp_path / "night.tar").write_bytes(block + plain_tar(tmp_path, 1))
    out = found(tmp_path / "night.tar", tmp_path / "out")
    assert ["sparse file" in member.refused for member in out] == [True, False]


def test_an_archive_that_takes_too_long_may_have_another_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncuanalyze.batch.unpacking.NEXT", b"")  # nothing is asked, so nothing comes
    with pytest.raises(NotUnpacked, match=r"^unpacking one member took longer than 0\.5 s$") as raised:
        list(unpacked_members(make_tar(tmp_path / "night.tar", {"a.csv": REPORT}), tmp_path, timeout_s=0.5))
    assert raised.value.ending is Ending.TIMEOUT


def test_an_unpacker_that_dies_is_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncuanalyze.batch.unpacking.NEXT", b"?")  # it ends at once, without a word
    with pytest.raises(NotUnpacked, match=r"^the process that unpacks it died$") as raised:
        list(unpacked_members(make_tar(tmp_path / "night.tar", {"a.csv": REPORT}), tmp_path, timeout_s=30))
    assert raised.value.ending is Ending.CRASHED

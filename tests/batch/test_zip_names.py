"""Names in a zip that does not say how they are spelled."""

import shutil
import struct
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest

from ncuanalyze.batch.archive import members_of


def unicode_path(plain: bytes, name: bytes, *, version: int = 1) -> bytes:
    field = struct.pack("<BI", version, zlib.crc32(plain)) + name
    return struct.pack("<HH", 0x7075, len(field)) + field


STAMP = struct.pack("<HHI", 0x5455, 4, 0)
"""Another extra field."""
UTF8, CP437, UNKNOWN = "gemm-größe-中.csv".encode(), "gemm-größe.csv".encode("cp437"), b"gemm-gr_e.csv"
NAMES = {  # the bytes of the name, the extra field: the name that is meant
    "ascii": (b"gemm.csv", b"", "gemm.csv"),
    "UTF-8": (UTF8, b"", "gemm-größe-中.csv"),
    "code page 437": (CP437, b"", "gemm-größe.csv"),
    "a path beside it": (UNKNOWN, STAMP + unicode_path(UNKNOWN, UTF8), "gemm-größe-中.csv"),
    "a path of another name": (UNKNOWN, unicode_path(b"other.csv", UTF8), "gemm-gr_e.csv"),
    "a path of another version": (UNKNOWN, unicode_path(UNKNOWN, UTF8, version=2), "gemm-gr_e.csv"),
}


def unflagged(file: Path, plain: bytes, extra: bytes) -> Path:
    """A zip of one member, whose name has these bytes and no flag; the extra field is in the directory."""
    info = zipfile.ZipInfo("x" * len(plain))
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(info, "content")
        info.extra = extra
    file.write_bytes(file.read_bytes().replace(b"x" * len(plain), plain))
    return file


@pytest.mark.parametrize("kind", NAMES)
def test_the_name_is_the_one_that_was_meant(tmp_path: Path, kind: str) -> None:
    plain, extra, name = NAMES[kind]
    (member,) = members_of(unflagged(tmp_path / "night.zip", plain, extra), tmp_path)
    assert (member.name, member.refused) == (name, "")
    assert Path(member.file).read_text() == "content"


def test_a_name_beside_it_does_not_lead_out(tmp_path: Path) -> None:
    hostile = unicode_path(UNKNOWN, b"../up.csv")
    (member,) = members_of(unflagged(tmp_path / "night.zip", UNKNOWN, hostile), tmp_path)
    assert member.refused == "its name leads out of the archive"


def test_what_zip_itself_writes(tmp_path: Path) -> None:
    program = shutil.which("zip")
    if program is None:
        pytest.skip("no zip")
    (tmp_path / "größe-中.csv").write_text("content")
    subprocess.run([program, "-qr", "night.zip", "größe-中.csv"], cwd=tmp_path, check=True)
    assert [member.name for member in members_of(tmp_path / "night.zip", tmp_path)] == ["größe-中.csv"]

"""Damaged exports: an error with a hint, or a diagnosis that every renderer can show."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given
from launches import FIXTURES

from fuzz.damage import damaged, examples
from fuzz.targets import packed_report, report_text, survives

TEXTS = tuple(
    (FIXTURES / "odd" / name).read_bytes()
    for name in (
        "console_text.txt", "print_summary.csv", "raw_units.csv", "raw_nvtx.csv", "details_20col.csv", "thousands.csv",
        "details_15col_2021_rules.csv", "prof_preamble.csv", "gui_raw_transposed.csv", "err_permission.csv",
        "failed_launch.csv", "two_exports.csv", "utf16le_powershell.csv", "details_range_no_launch.csv",
    )
)  # fmt: skip
WHOLE = tuple(lzma.decompress((FIXTURES / f"demo.{page}.csv.xz").read_bytes()) for page in ("raw", "details"))
PACKED = tuple((FIXTURES / "odd" / f"raw_units.csv.{kind}").read_bytes() for kind in ("gz", "xz", "zip"))


@examples(40)
@given(damaged(TEXTS))
def test_exports_of_every_form(data: bytes) -> None:
    survives(report_text, data)


@examples(10)
@given(damaged(WHOLE))
def test_full_exports(data: bytes) -> None:
    survives(report_text, data)


@examples(40)
@given(damaged(PACKED))
def test_packed_files(data: bytes) -> None:
    survives(packed_report, data)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\n", b",", b'"', b"NVR", b"NVR\x00", b"PK\x03\x04", b"\xfd7zXZ\x00"])
def test_files_of_a_few_bytes(data: bytes) -> None:
    survives(packed_report, data)
    survives(report_text, data)

"""Damaged exports: an error with a hint, or a diagnosis that every renderer can show."""

from __future__ import annotations

import pytest
from hypothesis import given

from fuzz.damage import damaged, examples
from fuzz.seeds import PACKED, TEXTS, WHOLE
from fuzz.targets import packed_report, report_text, survives


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

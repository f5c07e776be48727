"""What a damaged report gives away: every loss that its structure shows is said, never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from load.paths import ODD
from ncuanalyze.errors import NcuAnalyzeError
from ncuanalyze.load import load
from ncuanalyze.load.blocks import layout_of

REPORT = (ODD / "small_3kernels.ncu-rep").read_bytes()
THIRD_BLOCK = 23470
"""Where the block of the third kernel begins: its header's size, its header, its payload of one message."""
PAYLOAD = 23505


def said_of(data: bytes, folder: Path) -> str:
    """The warnings of a report, or its error; with the number of kernels where there are any."""
    file = folder / "damaged.ncu-rep"
    file.write_bytes(data)
    try:
        profile = load(file)
    except NcuAnalyzeError as error:
        return str(error)
    return f"{len(profile.launches)} kernels; {'; '.join(profile.warnings)}"


def test_the_whole_report_has_nothing_to_say(tmp_path):
    assert said_of(REPORT, tmp_path) == "3 kernels; "


@pytest.mark.parametrize("filler", [b"\x00", b"\xff", b"A"])
@pytest.mark.parametrize("start", [THIRD_BLOCK, THIRD_BLOCK + 4, PAYLOAD, PAYLOAD + 4])
def test_a_blanked_end_is_said(start, filler, tmp_path):
    said = said_of(REPORT[:start] + filler * (len(REPORT) - start), tmp_path)
    assert "damaged" in said
    assert "3 kernels" not in said


@pytest.mark.parametrize("change", [-1, 1, 1000, -2000])
def test_messages_that_do_not_fill_their_payload_are_damage(change, tmp_path):
    size = int.from_bytes(REPORT[PAYLOAD : PAYLOAD + 4], "little")
    data = REPORT[:PAYLOAD] + (size + change).to_bytes(4, "little") + REPORT[PAYLOAD + 4 :]
    file = tmp_path / "damaged.ncu-rep"
    file.write_bytes(data)
    assert layout_of(file).whole_bytes == THIRD_BLOCK
    assert "damaged" in said_of(data, tmp_path)


def test_fewer_results_than_the_headers_count_are_said(tmp_path):
    counted = bytearray(REPORT)
    at = counted.index(b"\x10\x01", THIRD_BLOCK)  # field 2 of the block's header: one result
    counted[at + 1] = 3
    assert said_of(bytes(counted), tmp_path) == "2 kernels; the report is truncated or damaged: 3 kernels are lost"


def test_native_code_does_not_meet_what_is_damaged(tmp_path, monkeypatch):
    import ncu_report

    seen = []
    read = ncu_report.load_report
    monkeypatch.setattr(ncu_report, "load_report", lambda path: seen.append(Path(path).read_bytes()) or read(path))
    assert "1 kernel is lost" in said_of(REPORT[:-9], tmp_path)
    assert "although 2 stand whole" in said_of(REPORT[: THIRD_BLOCK + 9], tmp_path)
    assert said_of(REPORT, tmp_path) == "3 kernels; "
    assert seen == [REPORT[:THIRD_BLOCK], REPORT]


def test_every_cut_is_said_or_falls_between_two_kernels(tmp_path):
    ends = {len(REPORT), THIRD_BLOCK}
    for end in range(200, len(REPORT), 997):
        assert end in ends or "damaged" in said_of(REPORT[:end], tmp_path)

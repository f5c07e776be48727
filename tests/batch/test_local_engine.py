"""Readers on this machine: how many there are, and the order in which readings come."""

from pathlib import Path

import pytest

from batch.in_process import SETTINGS
from ncuanalyze.batch import local_engine
from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.local_engine import LocalEngine
from ncuanalyze.batch.reading import Reading


def test_readings_that_have_ended_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(found: Found, _reader: IsolatedReader, _is_done: IsDone) -> Reading:
        return Reading(found=found)

    monkeypatch.setattr(local_engine, "read_report", read)
    founds = [Found(report=f"{number:03}.csv", path=f"/{number}") for number in range(300)]
    came = [reading.found.report for reading in LocalEngine(1, SETTINGS).readings(founds, lambda _: False)]
    assert came == sorted(came)
    assert len(came) == 300


def test_no_process_is_started_for_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IsolatedReader, "_started", None)  # would fail
    (tmp_path / "a.csv").write_bytes(b"known")
    founds = [Found(report="a.csv", path=str(tmp_path / "a.csv"))] * 9
    assert len(list(LocalEngine(4, SETTINGS).readings(founds, lambda _: True))) == 9

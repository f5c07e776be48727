"""The two utilisations of a kernel whose operator the user named, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.diagnosis import Utilization
from ncuanalyze.render.numbers import pct, safe_text


def utilization_lines(found: Utilization) -> Iterator[str]:
    """Algorithmic beside hardware, then the reading."""
    yield f"operator: {safe_text(found.operator)}"
    bandwidth = _pair(found.algorithmic_bandwidth_pct, found.hardware_bandwidth_pct)
    rate = _pair(found.algorithmic_flop_pct, found.hardware_flop_pct)
    yield f"memory bandwidth {bandwidth}; peak rate {rate}"
    yield from (f"- {safe_text(line)}" for line in found.reading)


def _pair(algorithmic: float | None, hardware: float | None) -> str:
    beside = f", {pct(hardware)} hardware" if hardware is not None else ""
    return f"{pct(algorithmic)} algorithmic{beside}"

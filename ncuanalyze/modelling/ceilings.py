"""The roofline in three formulas (Williams, Waterman and Patterson, 2009)."""

from __future__ import annotations

import math


def ridge_flop_per_byte(peak_flop_per_s: float, bytes_per_s: float) -> float:
    """Intensity at which compute and memory take the same time: peak / bandwidth."""
    return peak_flop_per_s / bytes_per_s


def attainable_flop_per_s(peak_flop_per_s: float, bytes_per_s: float, flop_per_byte: float) -> float:
    """The most that a kernel of this intensity can compute: min(peak, bandwidth x intensity)."""
    return min(peak_flop_per_s, bytes_per_s * flop_per_byte)


def floor_ns(flop: float, total_bytes: float, peak_flop_per_s: float, bytes_per_s: float) -> float:
    """The least time that the work takes: the longer of computing and moving."""
    return 1e9 * max(flop / peak_flop_per_s, total_bytes / bytes_per_s)


def intensity_flop_per_byte(flop: float, total_bytes: float) -> float:
    """FLOP per byte; infinite where nothing is moved."""
    return flop / total_bytes if total_bytes else math.inf

"""What an operator must compute and move: FLOP and compulsory bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ncuanalyze.modelling.ceilings import intensity_flop_per_byte


@dataclass(frozen=True, kw_only=True)
class Step:
    """One kernel of an unfused version: the bytes it moves through device memory, and its FLOP."""

    name: str
    bytes: float
    flop: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Work:
    """One launch: each input read once, each output written once.

    ``precision`` and ``path`` (``tensor`` or ``fma``) name the unit that computes. ``l2_bytes`` is what
    crosses from L2 where tiling re-reads data; ``unfused`` are the kernels that this one replaces,
    ``fused_bytes`` the traffic of a fused kernel that could replace this one.
    """

    flop: float
    read_bytes: float
    write_bytes: float
    precision: str
    path: str
    l2_bytes: float | None = None
    smallest_dimension: int | None = None
    unfused: tuple[Step, ...] = ()
    fused_bytes: float | None = None
    formulas: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def bytes(self) -> float:
        """Compulsory traffic of device memory."""
        return self.read_bytes + self.write_bytes

    @property
    def flop_per_byte(self) -> float:
        """Intensity at device memory."""
        return intensity_flop_per_byte(self.flop, self.bytes)

    @property
    def flop_per_l2_byte(self) -> float | None:
        """Intensity at L2, where it differs."""
        return None if self.l2_bytes is None else intensity_flop_per_byte(self.flop, self.l2_bytes)

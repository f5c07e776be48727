"""Tensor Core work where no operation was counted: executed instructions times their documented shapes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ncuanalyze.analysis.counter import duration_s
from ncuanalyze.analysis.published_peaks import published_compute_peak
from ncuanalyze.diagnosis.measured import FlopCount
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
SHAPE = re.compile(r"(\d{1,4})x(\d{1,4})x(\d{1,4})$")
PACKED_SHAPES = {  # m n k written without separators; 884 is left out: its meaning differs between chips
    "1684": (16, 8, 4),
    "1688": (16, 8, 8),
    "16816": (16, 8, 16),
    "16832": (16, 8, 32),
    "16864": (16, 8, 64),
    "8816": (8, 8, 16),
    "8832": (8, 8, 32),
}
FAMILIES = {
    "HMMA": "FP16",
    "HGMMA": "FP16",
    "QMMA": "FP8",
    "QGMMA": "FP8",
    "IMMA": "INT8",
    "IGMMA": "INT8",
    "DMMA": "FP64",
}
WARPS_OF_A_WARPGROUP = 4  # each of which executes the one instruction


@record
class TensorOpcode:
    """What one tensor instruction of a warp does. 2:4-sparse work counts as its dense equivalent."""

    precision: str
    accumulator: str
    instruction: str
    sparse: bool
    flop: float


def opcode_flop_counts(launch: KernelLaunch) -> Iterator[FlopCount]:
    """Tensor work by instruction shape, marked as not exact; nothing where an instruction has no known shape.

    Source: the PTX ISA's matrix shapes (a multiply-add is two operations), times ncu's executed instructions.
    """
    work: dict[tuple[str, str, str, bool], float] = defaultdict(float)
    for opcode, executed in launch.metrics.instances(OPCODES):
        if not isinstance(opcode, str) or not isinstance(executed, float) or "MMA" not in opcode.split(".")[0]:
            continue
        known = tensor_opcode(opcode)
        if known is None:
            return
        work[known.precision, known.accumulator, known.instruction, known.sparse] += executed * known.flop
    for key, flop in work.items():
        if flop > 0:
            yield _count(launch, *key, flop)


def tensor_opcode(name: str) -> TensorOpcode | None:
    """A SASS opcode with its modifiers (``HGMMA.64x128x16.F32.BF16``); None for an unknown shape or type."""
    family, *modifiers = name.split(".")
    shape = next((found for word in modifiers if (found := _shape(word))), None)
    if shape is None or family not in FAMILIES:
        return None
    m, n, k = shape
    warps = WARPS_OF_A_WARPGROUP if family.endswith("GMMA") else 1
    return TensorOpcode(
        precision=_precision(family, modifiers),
        accumulator=_accumulator(family, modifiers),
        instruction=family.lower(),
        sparse="SP" in modifiers,
        flop=2.0 * m * n * k / warps,
    )


def _shape(word: str) -> tuple[int, int, int] | None:
    if found := SHAPE.match(word):
        m, n, k = map(int, found.groups())
        return m, n, k
    return PACKED_SHAPES.get(word)


def _precision(family: str, modifiers: list[str]) -> str:
    if FAMILIES[family] == "FP16":
        return next((word for word in ("TF32", "BF16") if word in modifiers), "FP16")
    return "INT4" if {"S4", "U4"} & set(modifiers) else FAMILIES[family]


def _accumulator(family: str, modifiers: list[str]) -> str:
    if FAMILIES[family] in {"FP64", "INT8"}:
        return ""
    return "FP32" if "F32" in modifiers else "FP16"


def _count(
    launch: KernelLaunch, precision: str, accumulator: str, instruction: str, sparse: bool, flop: float
) -> FlopCount:
    seconds = duration_s(launch)
    rate = flop / seconds if seconds else None
    fastest = None if sparse else published_compute_peak(launch, precision, "tensor", accumulator)
    best_pct = 100 * rate / fastest.per_s if fastest and rate is not None else None
    own = fastest if _is_fastest(launch, instruction) else None
    return FlopCount(
        precision=precision,
        path="tensor",
        flop=flop,
        peak_flop_per_s=own.per_s if own else None,
        utilization_pct=best_pct if own else None,
        exact=False,
        basis=f"{instruction} instructions times their documented shapes, not counted operations",
        accumulator=accumulator,
        instruction=instruction,
        sparse=sparse,
        counter=OPCODES,
        flop_per_s=rate,
        best_path_pct=best_pct,
    )


def _is_fastest(launch: KernelLaunch, instruction: str) -> bool:
    """Whether the published rate is this instruction's: on CC 9 to 11, mma.sync is not the fastest path."""
    major = (launch.device.compute_capability or (0, 0))[0]
    return instruction.endswith("gmma") or instruction == "dmma" or major in {8, 12}

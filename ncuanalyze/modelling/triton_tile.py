"""What a Triton kernel asks for, from its meta-parameters: threads, shared memory, accumulator registers."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.numeric_formats import bytes_per_element
from ncuanalyze.modelling.parameters import parse_pairs, whole_number

WARP_THREADS = 32
MOST_ELEMENTS = 1 << 20
"""Of one tensor of a Triton program: ``TRITON_MAX_TENSOR_NUMEL``."""
MOST = {
    **dict.fromkeys(("block_m", "block_n", "block_k", "head_dim"), MOST_ELEMENTS),
    "num_stages": 1024,  # of the smallest tile, 16x16x16 in four bits, an SM holds fewer
    "num_warps": 32,  # 1,024 threads a block
}
NAMES = ("block_m", "block_n", "block_k", "head_dim", "num_stages", "num_warps", "dtype")


@dataclass(frozen=True, kw_only=True)
class TritonTile:
    """A ``tl.dot`` kernel. ``head_dim`` 0 is a GEMM tile, else a fused attention tile.

    A pipelined loop keeps ``num_stages`` copies of the tiles that it loads. That is what Triton allocates
    for wgmma (Hopper) and the most it allocates elsewhere: loops on mma.sync keep one stage fewer.
    """

    block_m: int
    block_n: int
    block_k: int
    num_stages: int
    num_warps: int
    dtype: str = "fp16"
    head_dim: int = 0

    @property
    def threads(self) -> int:
        """Threads per block."""
        return WARP_THREADS * self.num_warps

    @property
    def stage_bytes(self) -> float:
        """Shared memory of one stage: the A and B tiles, or the K and V tiles."""
        elements = 2 * self.block_n * self.head_dim if self.head_dim else (self.block_m + self.block_n) * self.block_k
        return elements * bytes_per_element(self.dtype)

    @property
    def shared_bytes(self) -> int:
        """Shared memory per block; attention adds the Q tile, and without pipelining K and V take turns."""
        if not self.head_dim:
            return int(self.num_stages * self.stage_bytes)
        query = self.block_m * self.head_dim * bytes_per_element(self.dtype)
        stages = self.num_stages if self.num_stages > 1 else 0.5
        return int(query + stages * self.stage_bytes)

    @property
    def accumulator_registers(self) -> float:
        """FP32 accumulators per thread; attention holds the output and one tile of scores."""
        columns = self.head_dim + self.block_n if self.head_dim else self.block_n
        return self.block_m * columns / self.threads

    @property
    def flop_per_l2_byte(self) -> float:
        """Intensity of the loop at L2: what each loaded byte feeds."""
        if self.head_dim:
            return 2 * self.block_m / bytes_per_element(self.dtype)
        harmonic = self.block_m * self.block_n / (self.block_m + self.block_n)
        return 2 * harmonic / bytes_per_element(self.dtype)


def parse_tile(text: str) -> TritonTile:
    """A tile from ``block_m=128 block_n=128 block_k=64 num_stages=3 num_warps=8 dtype=fp16``.

    ``head_dim=`` instead of ``block_k=`` makes it an attention tile. Raises ``InvalidInput``.
    """
    values = parse_pairs(text)
    if unknown := sorted(set(values) - set(NAMES)):
        raise InvalidInput(f"a Triton tile has no {', '.join(unknown)}", hint=f"it has {', '.join(NAMES)}")
    depth = "head_dim" if "head_dim" in values else "block_k"
    needed = ("block_m", "block_n", depth)
    if missing := [name for name in needed if name not in values]:
        raise InvalidInput(
            f"the Triton tile lacks {', '.join(missing)}",
            hint="such as block_m=128 block_n=128 block_k=64 num_stages=3 num_warps=8 dtype=fp16",
        )
    numbers = {name: _size(name, values[name]) for name in MOST if name in values}
    tile = TritonTile(
        block_m=numbers["block_m"],
        block_n=numbers["block_n"],
        block_k=numbers.get("block_k", 0),
        head_dim=numbers.get("head_dim", 0),
        num_stages=numbers.get("num_stages", 3),
        num_warps=numbers.get("num_warps", 4),
        dtype=values.get("dtype", "fp16"),
    )
    bytes_per_element(tile.dtype)
    return tile


def _size(name: str, text: str) -> int:
    value = whole_number(name, text)
    if value > MOST[name]:
        raise InvalidInput(f"{name}={text}: no GPU takes such a tile", hint=f"give {name} of 1 to {MOST[name]:,}")
    return value

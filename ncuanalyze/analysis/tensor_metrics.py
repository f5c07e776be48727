"""The Tensor Core operation counters of a chip, as trees: a counter is the sum of those that refine it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from ncuanalyze.data import table
from ncuanalyze.profile import Device, KernelLaunch
from ncuanalyze.record import record

PREFIX = "sm__ops_path_tensor_"
NAME = re.compile(
    r"(?:op_(?P<path>[a-z0-9]+)_)?src_(?P<source>[a-z0-9_]+?)"
    r"(?:_dst_(?P<accumulator>[a-z0-9]+))?(?:_sparsity_(?P<sparsity>on|off))?$"
)


@record
class TensorCounter:
    """One ``sm__ops_path_tensor_*`` counter and those that refine it. Empty text: the name does not say."""

    metric: str
    source: str
    precision: str
    accumulator: str
    path: str  # the ``op_`` of the name
    instruction: str  # the path; where the name has none, the one instruction that the chip has for this precision
    sparsity: str  # on | off | ""
    parts: tuple[TensorCounter, ...] = ()

    @property
    def peak_is_sparse(self) -> bool:
        """Whether its peak is the 2:4-sparse rate though it counts dense work too."""
        return not self.sparsity and any(part.sparsity or part.peak_is_sparse for part in self.parts)

    def refines(self, other: TensorCounter) -> bool:
        """Whether every operation counted here is counted by ``other`` too."""
        return (
            self.source == other.source
            and self.metric != other.metric
            and all(
                not theirs or theirs == ours
                for ours, theirs in (
                    (self.path, other.path),
                    (self.accumulator, other.accumulator),
                    (self.sparsity, other.sparsity),
                )
            )
        )

    def leaves(self) -> tuple[TensorCounter, ...]:
        """The counters below that nothing refines; itself where nothing does."""
        return tuple(leaf for part in self.parts for leaf in part.leaves()) or (self,)


def chip_of(device: Device) -> str | None:
    """The chip whose counter names a device has, by its name or its compute capability."""
    data = _data()
    if device.chip and device.chip.lower() in data["counters"]:
        return device.chip.lower()
    if device.compute_capability is None:
        return None
    major, minor = device.compute_capability
    chip: str | None = data["chip_of_compute_capability"].get(f"{major}.{minor}")
    return chip


def tensor_counters(launch: KernelLaunch) -> tuple[TensorCounter, ...]:
    """The counter trees of the launch's chip; of an unknown one, those of the chip with most names in the report."""
    if chip := chip_of(launch.device):
        return counters_of_chip(chip)
    major = (launch.device.compute_capability or (99, 0))[0]
    if major < 7:
        return ()
    names = frozenset(name for name in launch.metrics.names() if name.startswith(PREFIX))
    return counters_of_chip(_chip_with_most(names)) if names else ()


@lru_cache(maxsize=64)
def _chip_with_most(names: frozenset[str]) -> str:
    """The newest of the chips that have the most of these names."""
    return max(reversed(chips()), key=lambda chip: _collected(chip, names))


def chips() -> tuple[str, ...]:
    """The chips whose counter names are known."""
    return tuple(_data()["counters"])


@cache
def counters_of_chip(chip: str) -> tuple[TensorCounter, ...]:
    """The roots of a chip's trees. Adding the roots' values counts every operation once."""
    flat = [_parse(name, chip) for pattern in _data()["counters"][chip] for name in _expand(pattern)]
    flat.sort(key=lambda counter: counter.metric)
    return tuple(_with_parts(root, flat) for root in flat if not any(root.refines(other) for other in flat))


def instruction_family(instruction: str) -> str:
    """``wgmma``, ``mma.sync`` or ``tcgen05``: what a programmer writes for a SASS tensor instruction."""
    family: str = _data()["instruction_family"].get(instruction, "")
    return family


def _with_parts(counter: TensorCounter, flat: list[TensorCounter]) -> TensorCounter:
    below = [other for other in flat if other.refines(counter)]
    direct = [part for part in below if not any(part.refines(other) for other in below)]
    parts = tuple(_with_parts(part, flat) for part in direct)
    return replace(counter, parts=parts)


def _parse(name: str, chip: str) -> TensorCounter:
    match = NAME.match(name)
    if match is None:
        raise ValueError(f"tensor_metrics.toml: {name} is not a counter's name")
    fields = {key: value or "" for key, value in match.groupdict().items()}
    precision = _data()["precision"][fields["source"]]
    instruction = fields["path"] or _only_instruction(chip, fields["source"])
    return TensorCounter(
        metric=PREFIX + name,
        source=fields["source"],
        precision=precision,
        accumulator=fields["accumulator"],
        path=fields["path"],
        instruction=instruction,
        sparsity=fields["sparsity"],
    )


def _only_instruction(chip: str, source: str) -> str:
    known = _data()["instruction"]
    found: str = known.get(chip, {}).get(source) or known.get(source, "")
    return found


def _expand(pattern: str) -> list[str]:
    pieces = [piece.split(",") if index % 2 else [piece] for index, piece in enumerate(re.split(r"[{}]", pattern))]
    return ["".join(choice) for choice in itertools.product(*pieces)]


def _collected(chip: str, names: frozenset[str]) -> int:
    return sum(f"{leaf.metric}.sum" in names for root in counters_of_chip(chip) for leaf in root.leaves())


def _data() -> dict[str, Any]:
    return table("analysis", "tensor_metrics")

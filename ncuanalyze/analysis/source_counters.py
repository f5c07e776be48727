"""Counters by SASS address: where in the code a launch waits, and where it wastes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from ncuanalyze.profile import KernelLaunch
from ncuanalyze.units import LARGEST

SAMPLES = "smsp__pcsamp_sample_count"
INSTRUCTIONS = "inst_executed"
WARP_LANES = 32

_STALL = "smsp__pcsamp_warps_issue_stalled_"
_NOT_ISSUED = "_not_issued"
_NO_STALL = frozenset({"selected", "not_selected"})
_LANES_ON = "thread_inst_executed_true"
_SECTORS = "memory_l2_theoretical_sectors_global"
_WAVEFRONTS = "memory_l1_wavefronts_shared"
_LOCAL_SECTORS = "memory_l2_theoretical_sectors_local"
_MEMORY_TYPE = "memory_type"
_ACCESS_TYPE = "memory_access_type"
_ACCESS_SIZE = "memory_access_size_type"
_ATOMIC_BIT = 8

Counts = Mapping[int, float]


class LineCounter(StrEnum):
    """A waste or a wait that can be traced to addresses. Stall reasons are ``<reason>_samples``."""

    EXCESS_SECTORS = "excess_global_sectors"
    SHARED_CONFLICTS = "excess_shared_wavefronts"
    LOCAL_MEMORY = "local_memory_sectors"
    ATOMICS = "atomic_instructions"
    IDLE_LANES = "idle_lanes"
    DIVERGENT_BRANCHES = "divergent_branch_targets"
    WAITING = "not_issued_samples"


class AddressCounters:
    """The instanced metrics of one launch by address; each is read once, when asked for."""

    def __init__(self, launch: KernelLaunch) -> None:
        self._launch = launch
        self._read: dict[str, Counts] = {}

    def of(self, metric: str) -> Counts:
        """Address -> finite value of an instanced metric; empty where the report has none."""
        if metric not in self._read:
            self._read[metric] = {
                address: value
                for address, value in self._launch.metrics.instances(metric)
                if type(address) is int and isinstance(value, float) and abs(value) <= LARGEST
            }
        return self._read[metric]

    def stall_totals(self) -> dict[str, float]:
        """Samples of each stall reason over the kernel, largest first, only where no instruction was issued.

        Reports without the ``_not_issued`` counters give all samples of a reason instead.
        """
        present = [name for name in self._launch.metrics.names() if name.startswith(_STALL)]
        exact = [name for name in present if name.endswith(_NOT_ISSUED)]
        totals = {name: self._launch.number(name) or 0.0 for name in exact or present}
        kept = {name: total for name, total in totals.items() if total > 0 and reason_of(name) not in _NO_STALL}
        return dict(sorted(kept.items(), key=lambda item: -item[1]))

    def counter(self, counter: str) -> Counts:
        """Address -> amount of a ``LineCounter`` or of a ``<reason>_samples`` counter; zeros left out."""
        if counter in _FORMULAS:
            amounts = _FORMULAS[counter](self)
        elif counter.endswith("_samples"):
            amounts = self._stall(counter.removesuffix("_samples"))
        else:
            raise ValueError(f"no counter by address is called {counter!r}")
        return {address: amount for address, amount in amounts.items() if amount > 0}

    def _stall(self, reason: str) -> Counts:
        stem = f"{_STALL}{reason}"
        return self.of(stem + _NOT_ISSUED) or self.of(stem)


def reason_of(metric: str) -> str:
    """The stall reason in the name of a sampling metric, in one spelling."""
    reason = metric.removeprefix(_STALL).removesuffix(_NOT_ISSUED)
    return "no_instruction" if reason == "no_instructions" else reason


def excess(actual: Counts, ideal: Counts) -> Counts:
    """Actual less ideal where both were counted, never below zero."""
    return {a: max(0.0, value - ideal[a]) for a, value in actual.items() if a in ideal}


def _excess_sectors(counters: AddressCounters) -> Counts:
    return excess(counters.of(_SECTORS), counters.of(f"{_SECTORS}_ideal"))


def _shared_conflicts(counters: AddressCounters) -> Counts:
    return excess(counters.of(_WAVEFRONTS), counters.of(f"{_WAVEFRONTS}_ideal"))


def _local_memory(counters: AddressCounters) -> Counts:
    return counters.of(_LOCAL_SECTORS)


def _atomics(counters: AddressCounters) -> Counts:
    """Executed atomics: their access type has the atomic bit; reductions have a size but no access type."""
    types, access, sizes = (counters.of(name) for name in (_MEMORY_TYPE, _ACCESS_TYPE, _ACCESS_SIZE))
    executed = counters.of(INSTRUCTIONS)
    atomic = {
        address for address in types if (int(access[address]) & _ATOMIC_BIT if address in access else address in sizes)
    }
    return {address: executed.get(address, 0.0) for address in atomic}


def _idle_lanes(counters: AddressCounters) -> Counts:
    lanes = counters.of(_LANES_ON)
    executed = counters.of(INSTRUCTIONS)
    return excess({a: count * WARP_LANES for a, count in executed.items()}, lanes)


def _divergent_branches(counters: AddressCounters) -> Counts:
    return counters.of("smsp__branch_targets_threads_divergent")


def _waiting(counters: AddressCounters) -> Counts:
    amounts: dict[int, float] = {}
    for metric in counters.stall_totals():
        for address, samples in counters.of(metric).items():
            amounts[address] = amounts.get(address, 0.0) + samples
    return amounts


_FORMULAS: dict[str, Callable[[AddressCounters], Counts]] = {
    LineCounter.EXCESS_SECTORS: _excess_sectors,
    LineCounter.SHARED_CONFLICTS: _shared_conflicts,
    LineCounter.LOCAL_MEMORY: _local_memory,
    LineCounter.ATOMICS: _atomics,
    LineCounter.IDLE_LANES: _idle_lanes,
    LineCounter.DIVERGENT_BRANCHES: _divergent_branches,
    LineCounter.WAITING: _waiting,
}

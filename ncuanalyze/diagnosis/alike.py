"""Launches that tell the same as one, and the names that tell kernels apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ncuanalyze.diagnosis.document import KernelDiagnosis

NO_NAME = "(no name)"


def alike(kernels: Sequence[KernelDiagnosis]) -> list[tuple[KernelDiagnosis, ...]]:
    """Launches of one kernel and shape with the same bound and first finding, in the order of their first launch."""
    found: dict[tuple[object, ...], list[KernelDiagnosis]] = {}
    for item in kernels:
        first = item.findings[0].id if item.findings else ""
        same = (item.kernel.demangled, item.kernel.grid, item.kernel.block, item.kernel.workload)
        told = (item.bound, item.limiter, item.at_roofline, first, item.duration_ns is None)
        found.setdefault((same, told), []).append(item)
    return [tuple(items) for items in found.values()]


def saved_pct(items: Sequence[KernelDiagnosis]) -> float:
    """The share of the report's time that the first finding of these launches saves, percent."""
    return sum(item.saved_pct for item in items)


def labels_of(kernels: Sequence[KernelDiagnosis]) -> dict[str, str]:
    """By kernel id the name to show: the kernel's own, or its NVTX range where that says more.

    It does where several shapes or causes share the name or a library made the name up, and the range holds no other
    kernel.
    """
    names = Counter(items[0].kernel.name for items in alike(kernels))
    inside: dict[str, set[str]] = {}
    for item in kernels:
        for name in item.kernel.nvtx[-1:]:
            inside.setdefault(name, set()).add(item.kernel.name)
    return {item.kernel.id: _label(item, names, inside) for item in kernels}


def label_of(items: Sequence[KernelDiagnosis], labels: Mapping[str, str]) -> str:
    """The name of launches that are alike: their common label, else the kernel's own name."""
    found = {labels[item.kernel.id] for item in items}
    return found.pop() if len(found) == 1 else items[0].kernel.name or NO_NAME


def _label(item: KernelDiagnosis, names: Mapping[str, int], inside: Mapping[str, set[str]]) -> str:
    kernel = item.kernel
    unclear = names[kernel.name] > 1 or kernel.language == "library"
    if unclear and kernel.nvtx and len(inside[kernel.nvtx[-1]]) == 1:
        return kernel.nvtx[-1]
    return kernel.name or NO_NAME

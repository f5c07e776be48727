"""Before and after: which kernels changed, by how much beyond noise, whether fairly, and why."""

from ncuanalyze.compare.codec import comparison_from_dict
from ncuanalyze.compare.comparison import (
    SCHEMA,
    Comparison,
    Difference,
    Fate,
    FindingChange,
    KernelComparison,
    KernelSide,
    Moved,
    Promise,
    ReportSide,
    Spread,
    Total,
    Verdict,
    Weight,
    Why,
    WorkRate,
)
from ncuanalyze.compare.judge import Options, compare
from ncuanalyze.compare.matching import Pair, parse_pair

__all__ = [
    "SCHEMA",
    "Comparison",
    "Difference",
    "Fate",
    "FindingChange",
    "KernelComparison",
    "KernelSide",
    "Moved",
    "Options",
    "Pair",
    "Promise",
    "ReportSide",
    "Spread",
    "Total",
    "Verdict",
    "Weight",
    "Why",
    "WorkRate",
    "compare",
    "comparison_from_dict",
    "parse_pair",
]

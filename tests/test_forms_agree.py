"""The report, the raw page and the details page of one run give one diagnosis, as far as their metrics allow."""

from functools import cache
from pathlib import Path

import pytest
from launches import BESIDE, FIXTURES

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis
from ncuanalyze.load import load

LABELLED = BESIDE / "planted"
SHIPPED = [FIXTURES / "demo", *(FIXTURES / "triples" / name for name in ("c14", "c26", "eager"))]
STEMS = SHIPPED + [LABELLED / "reports" / path.name[:-11] for path in sorted(LABELLED.glob("reports/*.ncu-rep.xz"))]
NOT_ON_THE_DETAILS_PAGE = (
    "traffic over a link is at the link's ceiling",
    "SM and memory are both saturated",
)
"""Notes of bounds that follow from counters which the details page leaves out."""


def page(stem: Path, name: str) -> Path:
    folder = LABELLED / "csv" if LABELLED in stem.parents else stem.parent
    return folder / f"{stem.name}.{name}.csv.xz"


@cache
def report(stem: Path) -> Diagnosis:
    return diagnose(load(f"{stem}.ncu-rep.xz"))


def gains(kernel: KernelDiagnosis) -> dict[str, float | None]:
    return {item.id: item.speedup.estimate if item.speedup else None for item in kernel.findings}


def promised(kernel: KernelDiagnosis) -> dict[str, float]:
    return {cause: gain for cause, gain in gains(kernel).items() if gain is not None}


def verdict(kernel: KernelDiagnosis) -> tuple[object, ...]:
    return kernel.kernel.name, kernel.bound, kernel.limiter, kernel.at_roofline, kernel.kernel.language


@pytest.mark.parametrize("stem", STEMS, ids=lambda stem: stem.name)
def test_the_raw_page_gives_the_diagnosis_of_the_report(stem: Path) -> None:
    ours, printed = report(stem), diagnose(load(page(stem, "raw")))
    assert [verdict(kernel) for kernel in printed.kernels] == [verdict(kernel) for kernel in ours.kernels]
    for kernel, other in zip(ours.kernels, printed.kernels, strict=True):
        assert list(gains(other)) == list(gains(kernel))
        assert promised(other) == pytest.approx(promised(kernel), rel=0.02)
    assert [item.id for item in printed.findings] == [item.id for item in ours.findings]


@pytest.mark.parametrize("stem", STEMS, ids=lambda stem: stem.name)
def test_the_details_page_gives_the_same_bound(stem: Path) -> None:
    ours, printed = report(stem), diagnose(load(page(stem, "details")))
    for kernel, other in zip(ours.kernels, printed.kernels, strict=True):
        if not kernel.bound_note.startswith(NOT_ON_THE_DETAILS_PAGE):
            assert (other.kernel.name, other.bound) == (kernel.kernel.name, kernel.bound)


@pytest.mark.parametrize("stem", STEMS, ids=lambda stem: stem.name)
def test_the_details_page_promises_no_more_than_the_report(stem: Path) -> None:
    ours, printed = report(stem), diagnose(load(page(stem, "details")))
    for kernel, other in zip(ours.kernels, printed.kernels, strict=True):
        known = gains(kernel)
        for cause, gain in gains(other).items():
            assert gain is None or gain <= 1.02 * (known.get(cause) or 1.0), (kernel.kernel.name, cause)
        assert other.limiter in (None, kernel.limiter) or kernel.limiter in COARSER.get(other.limiter or "", ())


COARSER = {"issue": ("fma", "alu", "tensor", "lsu"), "dram": ("l2", "host"), "l2": ("dram", "shared", "l1tex")}
"""What a details page may name instead: it shows issue slots, DRAM and L2, but not their breakdown."""

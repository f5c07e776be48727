"""The same kernel launched several times, and several reports as one diagnosis."""

from dataclasses import replace

import pytest
from launches import FIXTURES, make_launch, make_profile

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Diagnosis, KernelGroup
from ncuanalyze.load import load
from ncuanalyze.merge import merge, only
from ncuanalyze.profile import KernelLaunch, Workload


def launch(name: str, ns: float | None, grid: int = 1, **fields: object) -> KernelLaunch:
    return make_launch({"gpu__time_duration.sum": ns}, name=name, id=f"{name}{ns}", grid=(grid, 1, 1), **fields)  # type: ignore[arg-type]


def groups(*launches: KernelLaunch) -> tuple[KernelGroup, ...]:
    return diagnose(make_profile(*launches)).groups


def test_launches_of_one_name_and_shape_are_a_group() -> None:
    (group,) = groups(launch("a", 100), launch("b", 600), launch("a", 300), launch("a", 200))
    assert (group.name, group.kernels) == ("a", ("a100", "a300", "a200"))
    assert (group.minimum_ns, group.median_ns, group.maximum_ns) == (100, 200, 300)
    assert (group.total_ns, group.share_pct) == (600, 50)


@pytest.mark.parametrize(
    "other",
    [
        launch("b", 200),
        launch("a", 200, grid=2),
        launch("a", None),
        launch("a", 200, failed=True),
        launch("a", 200, workload=Workload.RANGE),
    ],
    ids=["another name", "another shape", "no duration", "failed", "a range"],
)
def test_what_does_not_belong_to_a_group(other: KernelLaunch) -> None:
    assert groups(launch("a", 100), other) == ()


def test_the_most_expensive_group_is_first() -> None:
    found = groups(launch("a", 1), launch("a", 2), launch("b", 10), launch("b", 20))
    assert [group.name for group in found] == ["b", "a"]


@pytest.fixture(scope="module")
def demo() -> Diagnosis:
    return diagnose(load(FIXTURES / "demo.raw.csv.xz"))


def test_merged_reports_share_one_total(demo: Diagnosis) -> None:
    copy = diagnose(load(FIXTURES / "triples" / "c26.raw.csv.xz"))
    merged = merge([demo, copy])
    assert merged.total_ns == pytest.approx((demo.total_ns or 0) + (copy.total_ns or 0))
    assert sum(kernel.time_share_pct or 0 for kernel in merged.kernels) == pytest.approx(100)
    assert [kernel.kernel.id for kernel in merged.kernels] == [
        "demo.raw.csv.xz:0",
        "demo.raw.csv.xz:1",
        "c26.raw.csv.xz:0",
    ]
    assert merged.story.startswith("3 kernel launches in ")
    assert merged.source.file == "demo.raw.csv.xz, c26.raw.csv.xz"


def test_merged_reports_of_one_kernel_are_a_group(demo: Diagnosis) -> None:
    assert [len(group.kernels) for group in merge([demo, demo]).groups] == [2, 2]


def test_merging_names_what_differs(demo: Diagnosis) -> None:
    other = replace(demo, device=replace(demo.device, name="NVIDIA B200"))
    (warning,) = merge([demo, other]).warnings
    assert warning.startswith("the reports are of different GPUs: ") and "NVIDIA B200" in warning


def test_an_unknown_version_or_gpu_is_no_difference(demo: Diagnosis) -> None:
    named = replace(demo, source=replace(demo.source, ncu_version="2025.3.1.0"))
    nameless = replace(named, source=replace(demo.source, ncu_version=""), device=replace(demo.device, name=None))
    assert merge([named, nameless]).warnings == (*named.warnings, *nameless.warnings)


def test_merged_reports_are_ranked_once_and_findings_name_the_merged_kernels(demo: Diagnosis) -> None:
    slow, fast = demo.kernels
    other = replace(slow, kernel=replace(slow.kernel, demangled="other"))
    merged = merge([demo, replace(demo, source=replace(demo.source, file="again"), kernels=(other, fast))])
    (ranking,) = (finding for finding in merged.findings if finding.kind == "ranking")
    assert set(ranking.kernels) == {f"{demo.source.file}:0", "again:0"}


def test_some_kernels_of_a_diagnosis_share_their_own_time(demo: Diagnosis) -> None:
    fast = only(demo, demo.kernels[1:])
    assert fast.total_ns == pytest.approx(demo.kernels[1].duration_ns)
    assert [kernel.time_share_pct for kernel in fast.kernels] == [pytest.approx(100)]
    assert fast.story.startswith("One kernel launch in 122 µs.")

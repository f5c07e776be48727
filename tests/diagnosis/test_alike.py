"""Launches that tell the same as one, and the names that tell kernels apart."""

from dataclasses import replace

import pytest

from ncuanalyze.diagnosis import Bound, Finding, Kernel, KernelDiagnosis, alike, label_of, labels_of, saved_pct


def launch(number: int, name: str, *, ranges: str = "", language: str = "cuda", grid: int = 1) -> KernelDiagnosis:
    return KernelDiagnosis(
        kernel=Kernel(
            id=str(number),
            name=name,
            demangled=name,
            grid=(grid, 1, 1),
            block=(128, 1, 1),
            nvtx=tuple(ranges.split()),
            language=language,
        ),
        duration_ns=1e3,
        time_share_pct=10.0,
        cycles=None,
        bound=Bound.MEMORY,
        bound_evidence=(),
        bound_note="",
        nvidia_verdict=None,
        limiter="dram",
        at_roofline=False,
        summary="",
        headroom_pct=50.0,
    )


def labels(*launches: KernelDiagnosis) -> list[str]:
    return list(labels_of(launches).values())


def test_launches_that_tell_the_same_are_one() -> None:
    same = [launch(0, "a"), launch(1, "b"), launch(2, "a")]
    assert [[item.kernel.id for item in items] for items in alike(same)] == [["0", "2"], ["1"]]
    assert saved_pct(alike(same)[0]) == pytest.approx(10)


@pytest.mark.parametrize(
    "change",
    [
        {"bound": Bound.LATENCY},
        {"limiter": "l2"},
        {"at_roofline": True},
        {"duration_ns": None},
        {"findings": (Finding(id="x", title="X", message="x"),)},
    ],
    ids=str,
)
def test_launches_that_tell_something_else_stand_apart(change: dict[str, object]) -> None:
    assert len(alike([launch(0, "a"), replace(launch(1, "a"), **change)])) == 2  # type: ignore[arg-type]


def test_a_name_that_says_enough_is_kept() -> None:
    assert labels(launch(0, "copy", ranges="step"), launch(1, "scale", ranges="other")) == ["copy", "scale"]


def test_the_range_tells_shapes_of_one_kernel_apart() -> None:
    assert labels(launch(0, "k", ranges="outer small"), launch(1, "k", ranges="large", grid=2)) == ["small", "large"]


def test_the_range_names_a_library_kernel_unless_it_holds_others() -> None:
    gemm = launch(0, "nvjet_x", ranges="gemm", language="library")
    assert labels(gemm) == ["gemm"]
    assert labels(gemm, launch(1, "relu", ranges="gemm")) == ["nvjet_x", "relu"]


def test_launches_of_several_ranges_go_by_the_kernels_name() -> None:
    launches = [
        launch(0, "gemm", ranges="one", language="library"),
        launch(1, "gemm", ranges="two", language="library"),
    ]
    assert label_of(launches, labels_of(launches)) == "gemm"
    assert label_of(launches[:1], labels_of(launches)) == "one"


def test_no_name() -> None:
    assert labels(launch(0, "")) == ["(no name)"]

"""Each difference of two runs is named with its effect; some leave nothing to compare."""

from __future__ import annotations

from typing import Any

import pytest
from compare_documents import H200, diagnosis, kernel

from ncuanalyze.compare import Comparison, Difference, Options, Verdict, Weight, compare
from ncuanalyze.diagnosis import Device

H100 = Device(name="NVIDIA H100 PCIe", compute_capability="9.0", sm_count=114)


def differences(result: Comparison) -> dict[str, Difference]:
    return {item.what: item for item in (*result.differences, *result.kernels[0].differences)}


def test_a_faster_clock_is_no_faster_kernel() -> None:
    """1.59 GHz and 100 us against 1.98 GHz and 82 us: 159 k cycles became 162 k."""
    base = [diagnosis(kernel(duration_ns=100_000, cycles=159_000, sm_clock_hz=1.59e9))]
    new = [diagnosis(kernel(duration_ns=82_000, cycles=162_360, sm_clock_hz=1.98e9))]
    only = compare(base, new).kernels[0]
    assert only.verdict is Verdict.INCONCLUSIVE
    assert (only.verdict_by_time, only.verdict_by_cycles) == (Verdict.FASTER, Verdict.SAME)
    assert "159 k against 162 k, not faster" in only.reason
    assert "1.59 GHz against 1.98 GHz" in only.reason
    assert differences(compare(base, new))["SM clock"].weight is Weight.WARNING


def test_force_lets_the_time_speak_and_says_so() -> None:
    base = [diagnosis(kernel(duration_ns=100_000, cycles=159_000, sm_clock_hz=1.59e9))]
    new = [diagnosis(kernel(duration_ns=82_000, cycles=162_360, sm_clock_hz=1.98e9))]
    result = compare(base, new, Options(force=True))
    assert result.kernels[0].verdict is Verdict.FASTER
    assert result.kernels[0].reason.startswith("forced: ")
    assert result.forced


def test_clocks_apart_but_agreeing_keep_the_verdict() -> None:
    """A tensor kernel draws more power and clocks lower; it is faster in time and in cycles."""
    base = [diagnosis(kernel(duration_ns=200_000, cycles=396_000, sm_clock_hz=1.98e9))]
    new = [diagnosis(kernel(duration_ns=100_000, cycles=161_000, sm_clock_hz=1.61e9))]
    result = compare(base, new)
    assert result.kernels[0].verdict is Verdict.FASTER
    assert "SM clock" in differences(result)


def test_clocks_within_three_percent_say_nothing() -> None:
    base = [diagnosis(kernel(duration_ns=100_000, cycles=190_000, sm_clock_hz=1.90e9))]
    new = [diagnosis(kernel(duration_ns=90_000, cycles=174_600, sm_clock_hz=1.94e9))]
    result = compare(base, new)
    assert result.kernels[0].verdict is Verdict.FASTER
    assert "SM clock" not in differences(result)


def test_cycles_are_time_times_clock_where_they_were_not_collected() -> None:
    base = [diagnosis(kernel(duration_ns=100_000, sm_clock_hz=1.59e9))]
    new = [diagnosis(kernel(duration_ns=82_000, sm_clock_hz=1.98e9))]
    only = compare(base, new).kernels[0]
    assert only.verdict is Verdict.INCONCLUSIVE
    assert only.cycles_change_pct == pytest.approx(2.11, abs=0.01)


def test_a_dram_limited_kernel_is_judged_by_the_dram_clock() -> None:
    common: dict[str, Any] = {"limiter": "dram", "dram_clock_hz": 3.2e9}
    base = [diagnosis(kernel(duration_ns=100_000, sm_clock_hz=1.5e9, cycles=150_000, **common))]
    new = [diagnosis(kernel(duration_ns=80_000, sm_clock_hz=1.98e9, cycles=158_400, **common))]
    result = compare(base, new)
    assert result.kernels[0].verdict is Verdict.FASTER
    assert differences(result)["SM clock"].weight is Weight.NOTE


def test_a_kernel_on_host_memory_follows_no_gpu_clock() -> None:
    base = [diagnosis(kernel(duration_ns=100_000, limiter="host", sm_clock_hz=1.5e9))]
    new = [diagnosis(kernel(duration_ns=80_000, limiter="host", sm_clock_hz=1.98e9))]
    assert compare(base, new).kernels[0].verdict is Verdict.FASTER


def test_another_gpu_leaves_nothing_to_compare() -> None:
    result = compare([diagnosis(kernel())], [diagnosis(kernel(duration_ns=50_000), device=H100)])
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "GPU differs (NVIDIA H200 against NVIDIA H100 PCIe)" in result.kernels[0].reason
    assert differences(result)["SM count"].weight is Weight.MEANINGLESS


@pytest.mark.parametrize(
    ("what", "field", "base", "new", "weight"),
    [
        ("cache control", "cache_control", "all", "none", Weight.WARNING),
        ("clock control", "clock_control", "base", "boost", Weight.WARNING),
        ("replay mode", "replay_mode", "kernel", "application", Weight.WARNING),
        ("ncu version", "ncu_version", "2024.1", "2025.3", Weight.NOTE),
        ("driver", "driver_version", "550", "570", Weight.NOTE),
    ],
)
def test_settings_that_differ_are_named(what: str, field: str, base: str, new: str, weight: Weight) -> None:
    result = compare([diagnosis(kernel(), **{field: base})], [diagnosis(kernel(), **{field: new})])
    found = differences(result)[what]
    assert (found.base, found.new, found.weight) == (base, new, weight)
    assert found.effect


def test_cold_against_warm_caches_warns_but_does_not_forbid() -> None:
    base, new = (
        diagnosis(kernel(), cache_control="all"),
        diagnosis(kernel(duration_ns=70_000), cache_control="none"),
    )
    result = compare([base], [new])
    assert result.kernels[0].verdict is Verdict.FASTER
    assert "flushed" in differences(result)["cache control"].effect


def test_a_setting_that_one_file_does_not_record_cannot_be_ruled_out() -> None:
    result = compare([diagnosis(kernel(), cache_control="all")], [diagnosis(kernel())])
    found = differences(result)["cache control"]
    assert found.weight is Weight.NOTE
    assert "cannot be ruled out" in found.effect


def test_nothing_differs_between_twins() -> None:
    side = [diagnosis(kernel(grid=(8, 1, 1), sm_clock_hz=1.9e9), ncu_version="2025.3", sections=("A", "B"))]
    assert compare(side, side).differences == ()
    assert compare(side, side).kernels[0].differences == ()


def test_shape_sections_and_length_are_named() -> None:
    base = [diagnosis(kernel(duration_ns=5_000, grid=(8, 1, 1), block=(128, 1, 1)), sections=("A", "B"))]
    new = [diagnosis(kernel(duration_ns=2_000, grid=(16, 1, 1), block=(128, 1, 1)), sections=("B", "C"))]
    found = differences(compare(base, new))
    assert (found["grid"].base, found["grid"].new) == ("8x1x1", "16x1x1")
    assert (found["sections"].base, found["sections"].new) == ("also A", "also C")
    assert "block" not in found
    assert "20 us" in found["length"].effect


def test_a_range_is_no_kernel() -> None:
    base, new = diagnosis(kernel("step", workload="range")), diagnosis(kernel("step", 50_000))
    result = compare([base], [new])
    assert (len(result.kernels), len(result.vanished), len(result.appeared)) == (0, 1, 1)


def test_unknown_gpus_do_not_accuse_each_other() -> None:
    result = compare([diagnosis(kernel(), device=Device())], [diagnosis(kernel(duration_ns=50_000), device=H200)])
    assert result.kernels[0].verdict is Verdict.FASTER
    assert differences(result)["GPU"].weight is Weight.NOTE


def test_a_gpu_with_and_without_its_makers_name_is_the_same() -> None:
    base, new = Device(name="NVIDIA A100-PCIE-40GB"), Device(name="A100-PCIE-40GB")
    result = compare([diagnosis(kernel(), device=base)], [diagnosis(kernel(duration_ns=50_000), device=new)])
    assert "GPU" not in differences(result)

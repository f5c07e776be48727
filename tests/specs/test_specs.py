"""The GPU data: complete, sourced, and consistent with the vendor's headline figures."""

from __future__ import annotations

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.sm_limits import sm_limits
from ncuanalyze.specs import ComputePeak, GpuSpec, all_specs, spec_for_device, spec_for_name

SPECS = all_specs()
PEAKS = [(spec, peak) for spec in SPECS for peak in spec.peaks]
PRODUCTS = {
    "v100-sxm2", "v100-pcie", "t4", "a10", "a40", "a100-40gb-pcie", "a100-40gb-sxm", "a100-80gb-pcie",
    "a100-80gb-sxm", "l4", "l40s", "rtx-3090", "rtx-4090", "rtx-5090", "h100-pcie", "h100-sxm", "h100-nvl",
    "h200-sxm", "gh200-96gb", "gh200-144gb", "b200", "b300",
}  # fmt: skip
HEADLINE_TOLERANCE = 0.02


def _peak_id(value: object) -> str:
    if isinstance(value, GpuSpec):
        return value.key
    return value.label.replace(" ", "-") if isinstance(value, ComputePeak) else str(value)


def test_every_product_is_there() -> None:
    assert {spec.key for spec in SPECS} == PRODUCTS


@pytest.mark.parametrize(("spec", "peak"), PEAKS, ids=_peak_id)
def test_headline_is_sms_times_rate_times_clock(spec: GpuSpec, peak: ComputePeak) -> None:
    derived = spec.sm_count * peak.flop_per_cycle_per_sm * peak.clock_hz
    assert peak.flop_per_s == pytest.approx(derived, rel=HEADLINE_TOLERANCE)


@pytest.mark.parametrize(("spec", "peak"), PEAKS, ids=_peak_id)
def test_every_rate_is_dense_and_sourced(spec: GpuSpec, peak: ComputePeak) -> None:
    assert peak.path in {"tensor", "fma"}
    assert "dense" in peak.conditions
    assert len(peak.source) > 10


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_every_figure_has_unit_and_source(spec: GpuSpec) -> None:
    assert {"sm_count", "boost_clock_hz", "memory_bytes", "memory_bytes_per_s"} <= set(spec.figures)
    assert all(figure.unit and figure.source and figure.value > 0 for figure in spec.figures.values())
    assert sm_limits(spec.compute_capability).shared_bytes_per_sm > 0


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_no_clock_is_above_boost(spec: GpuSpec) -> None:
    assert all(peak.clock_hz <= spec.boost_clock_hz for peak in spec.peaks)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_fp32_accumulate_is_half_on_geforce_only(spec: GpuSpec) -> None:
    fp32 = spec.peak("fp16", path="tensor", accumulator="fp32").flop_per_s
    fp16 = spec.peak("fp16", path="tensor", accumulator="fp16").flop_per_s
    assert fp16 / fp32 == pytest.approx(2.0 if "GeForce" in spec.name else 1.0, rel=0.01)


@pytest.mark.parametrize(
    ("gpu", "precision", "tflop_per_s", "tbyte_per_s", "ridge"),
    [
        ("a100-80gb-sxm", "bf16", 312, 2.039, 153),
        ("a100-80gb-sxm", "fp16", 312, 2.039, 153),
        ("h100-sxm", "bf16", 989, 3.35, 295),
        ("h100-sxm", "fp8", 1979, 3.35, 591),
        ("h200-sxm", "bf16", 989, 4.8, 206),
        ("b200", "bf16", 2250, 8.0, 281),
        ("b200", "fp8", 4500, 8.0, 562),
        ("b200", "fp4", 9000, 8.0, 1125),
    ],
)
def test_known_ridges(gpu: str, precision: str, tflop_per_s: float, tbyte_per_s: float, ridge: float) -> None:
    spec = spec_for_name(gpu)
    peak = spec.peak(precision)
    assert peak.path == "tensor"
    assert peak.flop_per_s / 1e12 == pytest.approx(tflop_per_s, abs=0.5)
    assert spec.memory_bytes_per_s / 1e12 == tbyte_per_s
    assert spec.ridge_flop_per_byte(peak) == pytest.approx(ridge, abs=0.51)


@pytest.mark.parametrize(
    ("gpu", "precision", "path", "accumulator", "flop_per_cycle_per_sm"),
    [
        # peak_sustained / SMs, read from ncu reports of these GPUs
        ("h200-sxm", "bf16", "tensor", "fp32", 540_672 / 132),
        ("h200-sxm", "tf32", "tensor", "fp32", 270_336 / 132),
        ("h200-sxm", "fp8", "tensor", "fp32", 1_081_344 / 132),
        ("h200-sxm", "int8", "tensor", "int32", 1_081_344 / 132),
        ("h200-sxm", "fp64", "tensor", "fp64", 33_792 / 132),
        ("a100-40gb-sxm", "bf16", "tensor", "fp32", 2048),
        ("a100-40gb-sxm", "int8", "tensor", "int32", 4096),
        ("a100-40gb-sxm", "fp64", "tensor", "fp64", 128),
        ("b200", "bf16", "tensor", "fp32", 8192),
        ("b200", "tf32", "tensor", "fp32", 4096),
        ("b200", "fp8", "tensor", "fp32", 16_384),
        ("b200", "fp4", "tensor", "fp32", 32_768),
        ("b200", "int8", "tensor", "int32", 16_384),
        ("b200", "fp64", "tensor", "fp64", 128),
        ("t4", "fp32", "fma", "fp32", 2 * 64),
        ("t4", "fp64", "fma", "fp64", 2 * 2),
        ("a40", "fp32", "fma", "fp32", 2 * 128),
        ("rtx-4090", "fp32", "fma", "fp32", 2 * 128),
        ("h100-pcie", "fp16", "fma", "fp16", 4 * 128),
        ("b200", "fp16", "fma", "fp16", 4 * 64),
    ],
)
def test_rates_that_ncu_reports(
    gpu: str, precision: str, path: str, accumulator: str, flop_per_cycle_per_sm: float
) -> None:
    peak = spec_for_name(gpu).peak(precision, path=path, accumulator=accumulator)
    assert peak.flop_per_cycle_per_sm == flop_per_cycle_per_sm


def test_measured_ceilings_of_the_h200() -> None:
    spec = spec_for_name("h200")
    copy, low, high = spec.measured
    assert (copy.value, copy.share_pct) == (4.3e12, 90)
    assert copy.value / spec.memory_bytes_per_s == pytest.approx(0.9, abs=0.005)
    assert (low.value, high.value) == (770e12, 800e12)
    bf16 = spec.peak("bf16").flop_per_s
    assert [round(100 * item.value / bf16) for item in (low, high)] == [low.share_pct, high.share_pct]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("h100", "h100-sxm"),
        ("H100_SXM5", "h100-sxm"),
        ("NVIDIA H200", "h200-sxm"),
        ("a100", "a100-80gb-sxm"),
        ("A100 80GB PCIe", "a100-80gb-pcie"),
        ("rtx4090", "rtx-4090"),
        ("GeForce RTX 4090", "rtx-4090"),
        ("4090", "rtx-4090"),
        ("Tesla T4", "t4"),
    ],
)
def test_names_that_users_type(name: str, key: str) -> None:
    assert spec_for_name(name).key == key


def test_no_name_means_two_gpus() -> None:
    names = [name for spec in SPECS for name in (spec.key, *spec.aliases, *spec.device_names)]
    assert len(names) == len(set(names))
    assert all(spec_for_name(name).key == spec.key for spec in SPECS for name in (spec.key, *spec.aliases))


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(InvalidInput) as error:
        spec_for_name("h10")
    assert "h100-sxm" in error.value.hint


@pytest.mark.parametrize(
    ("device", "capability", "key"),
    [
        ("NVIDIA H200", (9, 0), "h200-sxm"),
        ("NVIDIA H200", None, "h200-sxm"),
        ("NVIDIA A100-SXM4-40GB", (8, 0), "a100-40gb-sxm"),
        ("A100-PCIE-40GB", (8, 0), "a100-40gb-pcie"),
        ("Tesla V100-SXM2-32GB", (7, 0), "v100-sxm2"),
        ("NVIDIA GH200 480GB", (9, 0), "gh200-96gb"),
        pytest.param("NVIDIA H200", (8, 0), None, id="capability differs"),
        pytest.param("NVIDIA H100 80GB HBM3 MIG 3g.40gb", (9, 0), None, id="MIG slice"),
        pytest.param("NVIDIA GeForce RTX 2070", (7, 5), None, id="no file"),
        pytest.param(None, (9, 0), None, id="no name"),
        pytest.param("", None, None, id="empty name"),
    ],
)
def test_devices_of_reports(device: str | None, capability: tuple[int, int] | None, key: str | None) -> None:
    spec = spec_for_device(device, capability)
    assert (spec.key if spec else None) == key


def test_a_missing_precision_says_what_there_is() -> None:
    with pytest.raises(InvalidInput) as error:
        spec_for_name("v100").peak("bf16")
    assert "fp16 tensor" in error.value.hint

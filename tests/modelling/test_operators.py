"""FLOP, bytes, intensity, bound and floor of every operator, against answers worked out by hand."""

from __future__ import annotations

import math

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.ceilings import attainable_flop_per_s, floor_ns, ridge_flop_per_byte
from ncuanalyze.modelling.estimate import estimate
from ncuanalyze.modelling.operators import OPERATORS, find_operator, work_of

A100_PEAK, ROUNDED_BANDWIDTH = 312e12, 2.0e12


@pytest.mark.parametrize(
    ("dimension", "intensity", "tflop_per_s"),
    [
        (64, 21.3, 42.7),
        (128, 42.7, 85.3),
        (256, 85.3, 170.7),
        (512, 170.7, 312),
        (1024, 341, 312),
        (2048, 683, 312),
        (4096, 1365, 312),
    ],
)
def test_square_gemm_on_an_a100(dimension: int, intensity: float, tflop_per_s: float) -> None:
    work = work_of("gemm", {"m": dimension, "n": dimension, "k": dimension, "dtype": "fp16"})
    assert work.flop_per_byte == pytest.approx(dimension / 3)
    assert work.flop_per_byte == pytest.approx(intensity, rel=3e-3)
    attainable = attainable_flop_per_s(A100_PEAK, ROUNDED_BANDWIDTH, work.flop_per_byte)
    assert attainable / 1e12 == pytest.approx(tflop_per_s, rel=1e-3)
    right_of_ridge = work.flop_per_byte >= ridge_flop_per_byte(A100_PEAK, ROUNDED_BANDWIDTH)
    assert right_of_ridge is (dimension >= 512)


def test_ridge_of_an_a100_with_rounded_bandwidth() -> None:
    assert ridge_flop_per_byte(A100_PEAK, ROUNDED_BANDWIDTH) == 156
    assert ridge_flop_per_byte(A100_PEAK, 2.039e12) == pytest.approx(153, abs=0.1)


def test_gemm_of_128_reaches_27_pct() -> None:
    work = work_of("gemm", {"m": 128, "n": 128, "k": 128})
    attainable = attainable_flop_per_s(A100_PEAK, ROUNDED_BANDWIDTH, work.flop_per_byte)
    assert 100 * attainable / A100_PEAK == pytest.approx(27, abs=0.5)


@pytest.mark.parametrize(
    ("operator", "parameters", "intensity"),
    [
        pytest.param("elementwise", {"ops": 1, "loads": 2, "dtype": "fp32"}, 1 / 12, id="add fp32"),
        pytest.param("elementwise", {"ops": 1, "loads": 2, "dtype": "bf16"}, 1 / 6, id="add bf16"),
        pytest.param("elementwise", {"ops": 3, "loads": 2, "dtype": "fp16"}, 1 / 2, id="x*x+y*y"),
        pytest.param("elementwise", {"ops": 3, "loads": 3, "dtype": "fp16"}, 3 / 8, id="relu(x*y+z)"),
        pytest.param("add", {"dtype": "fp16"}, 1 / 6, id="preset add"),
    ],
)
def test_elementwise_intensity(operator: str, parameters: dict[str, object], intensity: float) -> None:
    assert work_of(operator, {"n": 1000, **parameters}).flop_per_byte == pytest.approx(intensity)


@pytest.mark.parametrize(
    ("operator", "columns", "flop_per_element", "intensity"),
    [("layernorm", "d", 8, 2), ("softmax", "n", 5, 1.25), ("rmsnorm", "d", 4, 1)],
)
def test_row_operators(operator: str, columns: str, flop_per_element: int, intensity: float) -> None:
    work = work_of(operator, {"b": 4096, columns: 1024, "dtype": "fp16"})
    assert work.flop == flop_per_element * 4096 * 1024
    assert work.bytes == 4 * 4096 * 1024
    assert work.flop_per_byte == intensity


@pytest.mark.parametrize("sequence", [1024, 2048, 8192])
def test_fused_attention_is_compute_bound_at_dram(sequence: int) -> None:
    """A figure of about D for fused attention is that of L2, with a query tile of D rows."""
    work = work_of("attention", {"b": 2, "h": 16, "s": sequence, "d": 128, "dtype": "fp16", "block_m": 128})
    assert work.flop == 4 * 2 * 16 * sequence**2 * 128
    assert work.bytes == 2 * 2 * 16 * (2 * sequence * 128 + 2 * sequence * 128)
    assert work.flop_per_byte == sequence / 2
    assert work.flop_per_l2_byte == pytest.approx(128, rel=0.12)
    assert estimate("attention", {"b": 2, "h": 16, "s": sequence}, "h200").bound == "compute"


def test_l2_intensity_approaches_the_query_tile() -> None:
    far = work_of("attention", {"h": 16, "s": 65_536, "block_m": 64})
    assert far.flop_per_l2_byte == pytest.approx(64, rel=0.01)


def test_naive_attention_tends_to_half_the_head_dimension() -> None:
    work = work_of("attention_naive", {"h": 32, "s": 65_536, "d": 128, "dtype": "fp16"})
    assert work.flop_per_byte == pytest.approx(64, rel=0.01)
    small = work_of("attention_naive", {"h": 2, "sq": 256, "skv": 512, "d": 64, "dtype": "fp16"})
    assert small.bytes == 2 * 2 * (2 * 256 * 64 + 2 * 512 * 64 + 4 * 256 * 512)


def test_causal_halves_the_flop_and_not_the_bytes() -> None:
    full, causal = (work_of("attention", {"h": 8, "s": 2048, "causal": flag}) for flag in (0, 1))
    assert (causal.flop, causal.bytes) == (full.flop / 2, full.bytes)
    assert work_of("attention", {"sq": 1, "skv": 4096, "causal": 1}).flop == pytest.approx(
        work_of("attention", {"sq": 1, "skv": 4096}).flop, rel=2e-4
    )


def test_grouped_query_heads_share_keys_and_values() -> None:
    every, grouped = (
        work_of("attention_decode", {"b": 4, "h": 32, "hkv": kv, "skv": 8192, "d": 128}) for kv in (32, 8)
    )
    assert every.flop == grouped.flop == 4 * 4 * 32 * 8192 * 128
    assert grouped.bytes == 2 * 4 * (2 * 32 * 128 + 2 * 8 * 8192 * 128)
    assert grouped.flop_per_byte == pytest.approx(4, rel=0.01)
    assert every.flop_per_byte == pytest.approx(1, rel=0.01)


def test_convolution() -> None:
    sizes = {"n": 32, "c": 256, "h": 56, "k": 256, "r": 3, "pad": 1, "dtype": "fp16"}
    work = work_of("conv2d", sizes)
    assert work.flop == 2 * 32 * 256 * 256 * 9 * 56 * 56
    assert work.bytes == 2 * (32 * 256 * 56 * 56 + 256 * 256 * 9 + 32 * 256 * 56 * 56)
    assert 100 < work_of("conv2d", {**sizes, "c": 64, "k": 64}).flop_per_byte < 300
    strided = work_of("conv2d", {"n": 1, "c": 3, "h": 224, "k": 64, "r": 7, "pad": 3, "stride": 2})
    assert strided.flop == 2 * 64 * 3 * 49 * 112 * 112


@pytest.mark.parametrize(
    ("operator", "parameters", "flop", "moved"),
    [
        ("reduction", {"m": 64, "n": 1024, "dtype": "fp32"}, 64 * 1024, 4 * (64 * 1024 + 64)),
        ("reduction", {"n": "2^20", "dtype": "fp32"}, 2**20, 4 * (2**20 + 1)),
        ("transpose", {"m": 512, "n": 256, "dtype": "fp32"}, 0, 2 * 4 * 512 * 256),
        ("copy", {"n": "4k", "dtype": "fp16"}, 0, 2 * 2 * 4000),
        ("embedding", {"tokens": 128, "d": 512, "dtype": "bf16"}, 0, 2 * 2 * 128 * 512 + 8 * 128),
        ("bmm", {"batch": 64, "m": 512, "n": 512, "k": 512}, 2 * 64 * 512**3, 2 * 64 * 3 * 512**2),
        ("grouped_gemm", {"m": "128,256", "n": 64, "k": 32}, 2 * 384 * 64 * 32, 2 * (384 * 96 + 2 * 2048)),
        ("grouped_gemm", {"m": 128, "groups": 4, "n": 64, "k": 32}, 8 * 128 * 64 * 32, 8 * (128 * 96 + 2048)),
        ("gemm", {"m": 8, "n": 16, "k": 32, "dtype": "fp8"}, 2 * 8 * 16 * 32, 8 * 32 + 32 * 16 + 2 * 8 * 16),
        ("gemm", {"m": 8, "n": 16, "k": 32, "dtype": "int8"}, 2 * 4096, 8 * 32 + 32 * 16 + 4 * 8 * 16),
        ("gemm", {"m": 8, "n": 16, "k": 32, "out": "fp32"}, 2 * 4096, 2 * (8 * 32 + 32 * 16) + 4 * 8 * 16),
        (
            "quantised_gemm",
            {"m": 16, "n": 4096, "k": 4096, "weight": "int4"},
            2 * 16 * 4096**2,
            2 * 16 * 4096 + 4096**2 / 2 + 2 * 4096 * 32 + 2 * 16 * 4096,
        ),
        ("custom", {"flop": "1e9", "bytes": "2G"}, 1e9, 2e9),
    ],
)
def test_flop_and_bytes(operator: str, parameters: dict[str, object], flop: float, moved: float) -> None:
    work = work_of(operator, parameters)
    assert (work.flop, work.bytes) == (flop, moved)


@pytest.mark.parametrize(
    ("operator", "parameters", "flop", "moved", "intensity", "floor_us", "bound"),
    [
        pytest.param("add", {"n": "2^26", "dtype": "fp32"}, 2**26, 8.05e8, 1 / 12, 395, "memory", id="vector add"),
        pytest.param("softmax", {"b": 8192, "n": 4096}, 1.68e8, 1.34e8, 1.25, 65.8, "memory", id="softmax"),
        pytest.param("gelu", {"n": "8192x4096"}, 2.68e8, 1.34e8, 2, 66, "memory", id="gelu"),
        pytest.param("linear", {"m": 8192, "n": 4096, "k": 4096}, 2.75e11, 1.68e8, 1638, 881, "compute", id="linear"),
        pytest.param(
            "linear",
            {"m": 8192, "n": 16384, "k": 4096},
            1.10e12,
            4.70e8,
            2341,
            3524,
            "compute",
            id="wide linear",
        ),
        pytest.param("add", {"n": "8192x4096"}, 3.36e7, 2.01e8, 1 / 6, 99, "memory", id="add"),
    ],
)
def test_floors_on_an_a100_80gb(
    operator: str,
    parameters: dict[str, object],
    flop: float,
    moved: float,
    intensity: float,
    floor_us: float,
    bound: str,
) -> None:
    result = estimate(operator, parameters, "a100-80gb-sxm")
    assert result.flop == pytest.approx(flop, rel=5e-3)
    assert result.bytes == pytest.approx(moved, rel=5e-3)
    assert result.flop_per_byte == pytest.approx(intensity, rel=1e-3)
    assert result.floor_ns / 1e3 == pytest.approx(floor_us, rel=4e-3)
    assert result.bound == bound


@pytest.mark.parametrize(
    ("operator", "parameters", "gflop_per_s"),
    [("add", {"n": "2^26", "dtype": "fp32"}, 169.9), ("softmax", {"b": 8192, "n": 4096}, 2549)],
)
def test_attainable_rates_on_an_a100_80gb(operator: str, parameters: dict[str, object], gflop_per_s: float) -> None:
    result = estimate(operator, parameters, "a100-80gb-sxm")
    assert result.attainable_flop_per_s / 1e9 == pytest.approx(gflop_per_s, rel=1e-3)
    assert result.attainable_flop_per_s == pytest.approx(1e9 * result.flop / result.floor_ns)


def test_work_without_flop_is_bound_by_memory() -> None:
    result = estimate("copy", {"n": "2^28", "dtype": "fp32"}, "h200")
    assert (result.bound, result.attainable_flop_per_s, result.flop_per_byte) == ("memory", 0.0, 0.0)
    assert result.floor_ns == pytest.approx(2**31 / 4.8e12 * 1e9)
    assert floor_ns(0, 0, 1.0, 1.0) == 0.0


def test_no_bytes_is_infinite_intensity_and_compute_bound() -> None:
    result = estimate("custom", {"flop": 1e12, "bytes": 0, "dtype": "fp32"}, "h100")
    assert math.isinf(result.flop_per_byte)
    assert (result.bound, result.attainable_pct) == ("compute", 100.0)


def test_precision_and_unit() -> None:
    assert estimate("gemm", {"m": 64, "n": 64, "k": 64, "dtype": "fp32"}, "a100").peak_name == "FP32 FMA"
    assert estimate("gemm", {"m": 64, "n": 64, "k": 64, "dtype": "tf32"}, "a100").peak_name == "TF32 tensor"
    assert estimate("gelu", {"n": 64, "dtype": "bf16"}, "a100").peak_name == "FP32 FMA"
    assert estimate("gelu", {"n": 64, "dtype": "fp64"}, "a100").peak_name == "FP64 FMA"


def test_geforce_rate_follows_the_accumulator() -> None:
    sizes = {"m": 4096, "n": 4096, "k": 4096, "dtype": "fp16"}
    half, full = (estimate("gemm", sizes, "rtx-4090", accumulator=kind) for kind in (None, "fp16"))
    assert half.peak_flop_per_s == pytest.approx(full.peak_flop_per_s / 2, rel=1e-3)


def test_every_operator_documents_itself() -> None:
    names = [name for item in OPERATORS for name in (item.name, *item.aliases)]
    assert len(names) == len(set(names))
    for item in OPERATORS:
        assert item.summary
        assert all(parameter.meaning for parameter in item.parameters)
        assert item.usage.startswith(item.name)


@pytest.mark.parametrize(
    ("operator", "parameters", "message", "hint"),
    [
        ("gem", {}, "no operator is called 'gem'", "gemm"),
        ("gemm", {"m": 64}, "gemm needs n, k", "gemm m= n= k="),
        ("gemm", {"m": 64, "n": 64, "k": 64, "q": 1}, "no parameter q", "gemm m= n= k="),
        ("gemm", {"m": 0, "n": 64, "k": 64}, "m=0 is not a positive whole number", "m=4096"),
        ("gemm", {"m": 1.5, "n": 64, "k": 64}, "m=1.5 is not a positive", "m=4096"),
        ("gemm", {"m": "nan", "n": 64, "k": 64}, "m=nan is not a number", "m=4096"),
        ("gemm", {"m": "1e99", "n": 64, "k": 64}, "m=1e99 is not a number", "m=4096"),
        ("gemm", {"m": 64, "n": 64, "k": 64, "dtype": "fp5"}, "no number format is called 'fp5'", "bf16"),
        ("attention", {"h": 8}, "attention needs sq", "s=2048"),
        ("attention", {"h": 8, "hkv": 3, "s": 64}, "do not divide", "multiple"),
        ("attention", {"s": 64, "causal": "maybe"}, "neither yes nor no", "causal=1"),
        ("conv2d", {"n": 1, "c": 3, "h": 2, "k": 8, "r": 7}, "larger than the padded height", "pad"),
        ("custom", {"flop": 0, "bytes": 0}, "does nothing", "flop="),
        ("custom", {"flop": 1, "bytes": 0, "path": "gpu"}, "path=gpu is no unit", "path=tensor"),
        ("gemm", {"m": 64, "n": 64, "k": 64, "epilogue": 1.5}, "epilogue=1.5 is not a whole number", "epilogue"),
        ("grouped_gemm", {"m": "1,2", "groups": 3, "n": 4, "k": 4}, "2 row counts are no 3 groups", "groups="),
    ],
)
def test_what_users_get_wrong(operator: str, parameters: dict[str, object], message: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as error:
        work_of(operator, parameters)
    assert message in str(error.value)
    assert hint in error.value.hint


def test_aliases_lead_to_one_operator() -> None:
    assert find_operator("Flash-Attention").name == "attention"
    assert work_of("layernorm", {"rows": 8, "n": 16}).bytes == work_of("layernorm", {"b": 8, "d": 16}).bytes

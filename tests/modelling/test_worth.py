"""What counts as good, and whether writing a kernel by hand pays."""

from __future__ import annotations

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.estimate import estimate
from ncuanalyze.modelling.operators import OPERATORS
from ncuanalyze.modelling.practice import practice_of
from ncuanalyze.modelling.sweep import parse_sweep, run_sweep
from ncuanalyze.modelling.worth import worth_writing


@pytest.mark.parametrize(
    ("operator", "parameters", "measure", "pct"),
    [
        pytest.param("gelu", {"n": "8192x4096"}, "bandwidth", 90, id="elementwise"),
        pytest.param("layernorm", {"b": 8192, "d": 4096}, "bandwidth", 85, id="layernorm"),
        pytest.param("softmax", {"b": 8192, "n": 4096}, "bandwidth", 85, id="softmax"),
        pytest.param("reduction", {"n": "2^26"}, "bandwidth", 80, id="reduction"),
        pytest.param("gemm", {"m": 1024, "n": 1024, "k": 1024}, "flop", 85, id="gemm 1024"),
        pytest.param("gemm", {"m": 4096, "n": 4096, "k": 4096}, "flop", 85, id="gemm 4096"),
        pytest.param("gemm", {"m": 256, "n": 256, "k": 256}, "bandwidth", None, id="gemm 256"),
        pytest.param("gemm", {"m": 16, "n": 4096, "k": 4096}, "bandwidth", None, id="thin gemm"),
        pytest.param("gemm", {"m": 512, "n": 512, "k": 512}, "flop", None, id="gemm 512, right of the ridge"),
        pytest.param("attention", {"h": 64, "s": 1024, "d": 128}, "bound", 70, id="attention 1024"),
        pytest.param("attention", {"h": 64, "s": 512, "d": 128}, "bound", None, id="short attention"),
        pytest.param("conv2d", {"n": 32, "c": 256, "h": 56, "k": 256, "r": 3}, "flop", 70, id="conv2d"),
    ],
)
def test_what_good_means(operator: str, parameters: dict[str, object], measure: str, pct: float | None) -> None:
    result = estimate(operator, parameters, "a100")
    assert (result.good.measure, result.good.pct) == (measure, pct)
    assert result.good.source
    if pct is not None:
        assert result.good_ns == pytest.approx(100 * result.floor_ns / pct)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_has_a_practice(operator: object) -> None:
    practice = practice_of(operator.practice)  # type: ignore[attr-defined]
    assert practice.alone in {"yes", "no", "fused", "measure"}
    assert practice.why
    for bound in ("memory", "compute"):
        assert practice.good_for(bound=bound, smallest_dimension=None).text


@pytest.mark.parametrize(
    ("current_us", "verdict", "gain"),
    [
        pytest.param(180, "yes", 4.65, id="the exercise"),
        pytest.param(38.7, "no", 1.0, id="good already"),
        pytest.param(41, "no", 1.06, id="within ten percent of good"),
        pytest.param(20, "no", None, id="faster than the floor"),
    ],
)
def test_against_what_runs_today(current_us: float, verdict: str, gain: float | None) -> None:
    result = estimate("rmsnorm", {"b": 4096, "d": 4096}, "a100")
    worth = worth_writing(result, current_ns=1e3 * current_us)
    assert worth.verdict == verdict
    assert worth.gain is None if gain is None else worth.gain == pytest.approx(gain, abs=0.01)


def test_a_single_add_is_not_worth_writing() -> None:
    assert worth_writing(estimate("add", {"n": "8192x4096"}, "a100")).verdict == "no"


@pytest.mark.parametrize(
    ("operator", "parameters", "gain"),
    [
        pytest.param("rmsnorm", {"b": 4096, "d": 4096}, 3.5, id="seven passes for two"),
        pytest.param("elementwise", {"n": "2^26", "ops": 3, "loads": 3}, 2.0, id="relu(x*y+z) as three kernels"),
        pytest.param("gemm", {"m": 4096, "n": 4096, "k": 4096, "epilogue": 2}, 1.15, id="gemm, bias, gelu"),
        pytest.param("attention_naive", {"h": 32, "s": 2048}, 2.54, id="scores in memory"),
        pytest.param("attention", {"h": 32, "s": 2048}, 2.54, id="fused against naive"),
    ],
)
def test_fused_against_unfused(operator: str, parameters: dict[str, object], gain: float) -> None:
    worth = worth_writing(estimate(operator, parameters, "a100"), fuse=True)
    assert worth.verdict == "yes"
    assert worth.gain == pytest.approx(gain, rel=0.03)


def test_nothing_to_fuse() -> None:
    worth = worth_writing(estimate("relu", {"n": "2^26"}, "a100"), fuse=True)
    assert (worth.verdict, worth.gain) == ("no", None)


def test_a_floor_below_a_launch() -> None:
    result = estimate("gemm", {"m": 64, "n": 64, "k": 64}, "a100")
    assert any("below a kernel launch" in note for note in result.notes)
    assert any("fit in the L2" in note for note in result.notes)
    assert "graph" in worth_writing(result).reason


def test_notes_say_what_does_not_fit_and_what_is_slow() -> None:
    large = estimate("copy", {"n": "2^36"}, "a100")
    assert any("do not fit" in note for note in large.notes)
    fp32 = estimate("gemm", {"m": 4096, "n": 4096, "k": 4096, "dtype": "fp32"}, "a100")
    assert any("TF32 on Tensor Cores is 8.0x faster" in note for note in fp32.notes)


@pytest.mark.parametrize(
    ("text", "names", "values"),
    [
        ("m=64..512", ("m",), (64, 128, 256, 512)),
        ("m=64..500", ("m",), (64, 128, 256, 500)),
        ("m=64..64", ("m",), (64,)),
        ("m=64..256:64", ("m",), (64, 128, 192, 256)),
        ("m=n=k=64..256", ("m", "n", "k"), (64, 128, 256)),
        ("M = 1, 16, 128", ("m",), (1, 16, 128)),
    ],
)
def test_sweeps(text: str, names: tuple[str, ...], values: tuple[int, ...]) -> None:
    sweep = parse_sweep(text)
    assert (sweep.names, sweep.values) == (names, values)


@pytest.mark.parametrize("text", ["m", "m=", "=64..128", "m=128..64", "m=0..8", "m=1..100000:1", "m=a..b"])
def test_sweeps_that_users_get_wrong(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_sweep(text)
    assert error.value.hint


def test_a_sweep_crosses_the_ridge() -> None:
    points = run_sweep("gemm", {}, parse_sweep("m=n=k=64..8192"), ["a100", "h100"])
    bounds = {(point.estimate.gpu_key, point.value): point.estimate.bound for point in points}
    assert len(points) == 16
    assert (bounds["a100-80gb-sxm", 256], bounds["a100-80gb-sxm", 512]) == ("memory", "compute")
    assert (bounds["h100-sxm", 512], bounds["h100-sxm", 1024]) == ("memory", "compute")

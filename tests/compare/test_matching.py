"""Which kernel stands against which: exact first, then what an edit leaves alike."""

from __future__ import annotations

import pytest
from compare_documents import diagnosis, kernel
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.compare import Options, compare, parse_pair
from ncuanalyze.compare.names import masked, stem
from ncuanalyze.errors import InvalidInput


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("gemm", "gemm"),
        ("void gemm<float, 4>(float*, int)", "gemm"),
        ("void at::native::vectorized_elementwise_kernel<(int)8, at::native::F<c10::BFloat16>>(int, T2)",
         "vectorized_elementwise_kernel"),
        ("void at::native::<unnamed>::launch<int>(A &, B)::[lambda() (instance 1)]", "launch"),
        ("(anonymous namespace)::k(int)", "k"),
        ("void f<&T::operator->>(int)", "f"),
        ("blur(const float *, float *, int)", "blur"),
        ("<>", "<>"),
        ("", ""),
    ],
)  # fmt: skip
def test_stem(name: str, function: str) -> None:
    assert stem(name) == function


def test_generated_numbers_are_masked() -> None:
    assert masked("triton_poi_fused_add_3") == masked("triton_poi_fused_add_12")
    assert masked("triton_poi_fused_add_3") != masked("triton_poi_fused_mul_3")


@given(st.text(alphabet="ab<>():,& *-0", max_size=40))
def test_any_name_has_a_stem(name: str) -> None:
    assert isinstance(stem(name), str)


def test_renamed_template_arguments_match_with_a_note() -> None:
    base = kernel("gemm", demangled="void gemm<float, 64>(float *)")
    new = kernel("gemm", demangled="void gemm<float, 128>(float *)")
    only = compare([diagnosis(base)], [diagnosis(new)]).kernels[0]
    assert only.match == "function and NVTX path"
    assert only.notes == ("template arguments or parameters changed",)


def test_a_changed_grid_matches_and_is_named() -> None:
    base, new = kernel(grid=(8, 1, 1), block=(256, 1, 1)), kernel(grid=(1056, 1, 1), block=(256, 1, 1))
    only = compare([diagnosis(base)], [diagnosis(new)]).kernels[0]
    assert only.match == "name and NVTX path"
    assert [item.what for item in only.differences] == ["grid"]


def test_the_nvtx_path_tells_equal_kernels_apart() -> None:
    base = [kernel(nvtx=("step", "a"), duration_ns=1e6), kernel(nvtx=("step", "b"), duration_ns=2e6)]
    new = [kernel(nvtx=("step", "b"), duration_ns=2e6), kernel(nvtx=("step", "a"), duration_ns=1e6)]
    assert [item.change_pct for item in compare([diagnosis(*base)], [diagnosis(*new)]).kernels] == [0, 0]


def test_two_shapes_that_both_changed_match_in_order() -> None:
    base = [kernel(grid=(size, 1, 1), duration_ns=size * 1e5) for size in (10, 20)]
    new = [kernel(grid=(size, 1, 1), duration_ns=size * 1e5) for size in (11, 21)]
    pairs = {(k.base.diagnosis.kernel.grid, k.new.diagnosis.kernel.grid) for k in
             compare([diagnosis(*base)], [diagnosis(*new)]).kernels}  # fmt: skip
    assert pairs == {((10, 1, 1), (11, 1, 1)), ((20, 1, 1), (21, 1, 1))}


def test_the_most_alike_of_several_template_instances_match() -> None:
    base = [kernel("e", demangled=f"void e<{op}<float>, 4>(int)") for op in ("Add", "Multiply")]
    new = [kernel("e", demangled=f"void e<{op}<half>, 4>(int)") for op in ("Multiply", "Add")]
    found = compare([diagnosis(*base)], [diagnosis(*new)]).kernels
    assert all(k.base.diagnosis.kernel.demangled[:9] == k.new.diagnosis.kernel.demangled[:9] for k in found)


def test_new_and_vanished_kernels_are_listed() -> None:
    result = compare([diagnosis(kernel("add"), kernel("mul"))], [diagnosis(kernel("add"), kernel("fused"))])
    assert [k.name for k in result.kernels] == ["add"]
    assert [side.diagnosis.kernel.name for side in result.vanished] == ["mul"]
    assert [side.diagnosis.kernel.name for side in result.appeared] == ["fused"]
    assert result.total.all_base_ns == 200_000


def test_every_launch_is_matched_or_listed_once() -> None:
    names = ["a", "b", "a", "c<1>", "c<2>", "d_1", "d_2"]
    base = [kernel(name, demangled=name, duration_ns=1e5) for name in names]
    new = [kernel(name, demangled=name, duration_ns=1e5) for name in ["a", "c<3>", "d_7", "e", "b", "b"]]
    result = compare([diagnosis(*base)], [diagnosis(*new)])
    old = sum(k.base.launches for k in result.kernels) + sum(side.launches for side in result.vanished)
    fresh = sum(k.new.launches for k in result.kernels) + sum(side.launches for side in result.appeared)
    assert (old, fresh) == (7, 6)


def test_pair_compares_two_kernels_of_one_report() -> None:
    report = [diagnosis(kernel("slow", 1e6), kernel("slow_fix", 25e4), kernel("other", 1e6))]
    result = compare(report, report, Options(pairs=(parse_pair("slow=slow_fix"),)))
    (only,) = result.kernels
    assert (only.speedup, only.match) == (4.0, "--pair slow=slow_fix")
    assert (result.vanished, result.appeared) == ((), ())


def test_pair_takes_an_nvtx_range_or_a_pattern() -> None:
    report = [diagnosis(kernel("k1", 1e6, nvtx=("old",)), kernel("k2_fast", 5e5, nvtx=("new",)))]
    assert compare(report, report, Options(pairs=(parse_pair("old=new"),))).kernels[0].speedup == 2.0
    assert compare(report, report, Options(pairs=(parse_pair("k1=_fast$"),))).kernels[0].speedup == 2.0


@pytest.mark.parametrize("pair", ["slow", "=x", "x=", ""])
def test_a_pair_needs_two_names(pair: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_pair(pair)
    assert "OLD=NEW" in error.value.hint


@pytest.mark.parametrize(("pair", "says"), [("nobody=slow", "base side"), ("slow=[", "regular expression")])
def test_a_pair_of_unknown_kernels_is_an_error(pair: str, says: str) -> None:
    report = [diagnosis(kernel("slow"))]
    with pytest.raises(InvalidInput) as error:
        compare(report, report, Options(pairs=(parse_pair(pair),)))
    assert says in str(error.value)
    assert error.value.hint


def test_an_empty_side_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="new side holds no kernel"):
        compare([diagnosis(kernel())], [diagnosis()])

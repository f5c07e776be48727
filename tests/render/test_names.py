"""Kernel names: short where they are long, harmless where they are hostile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.render.names import safe_text, short_name

ELEMENTWISE = (
    "void at::native::vectorized_elementwise_kernel<(int)8, at::native::CUDAFunctorOnSelf_add<c10::BFloat16>,"
    " std::array<char *, (unsigned long)2>>(int, T2, T3)"
)
LAMBDA = (
    "void at::native::vectorized_elementwise_kernel<(int)8, at::native::<unnamed>::launch_clamp_scalar("
    "at::TensorIteratorBase &, c10::Scalar)::[lambda() (instance 1)]::operator ()() const::[lambda(int)"
    " (instance 1)], std::array<char *, (unsigned long)2>>(int, T2, T3)"
)


@pytest.mark.parametrize(
    ("demangled", "shown"),
    [
        ("vadd_kernel", "vadd_kernel"),
        ("ok(float *)", "ok"),
        ("void app::norm<float, (int)8>(float const *, int)", "app::norm<float, 8>"),
        (
            "void cutlass::Kernel2<cutlass_80_simt_sgemm>(T1::Params)",
            "cutlass::Kernel2<cutlass_80_simt_sgemm>",
        ),
        (ELEMENTWISE, "vectorized_elementwise_kernel<8, CUDAFunctorOnSelf_add, …>"),
        (LAMBDA, "vectorized_elementwise_kernel<8, launch_clamp_scalar, array>"),
        ("void (anonymous namespace)::softmax<float, true>(float*)", "softmax<float, true>"),
        ("std::enable_if<true, void>::type foo<int>(int)", "foo<int>"),
        ("k<(bool)1, (bool)0>(int)", "k<1, 0>"),
        ("", "(no name)"),
        ("  ", "(no name)"),
    ],
)
def test_short_name(demangled: str, shown: str) -> None:
    assert short_name(demangled) == shown


def test_a_name_without_structure_loses_its_middle() -> None:
    name = "sm90_xmma_gemm_f64f64_f64f64_f64_nn_n_tilesize128x64x16_stage3_execute_kernel__5x_cublas"
    shown = short_name(name, 40)
    assert len(shown) == 40
    assert shown.startswith("sm90_xmma_gemm") and shown.endswith("_cublas")


@pytest.mark.parametrize(
    "hostile", ["<" * 10_000, "a" * 10_000, ">" * 10_000, "a<b" * 3000, "(" * 9999 + ")"]
)
def test_ten_thousand_characters_stay_short(hostile: str) -> None:
    assert 0 < len(short_name(hostile)) <= 60


@given(
    st.text(alphabet=st.sampled_from("ab<>()[]{},: *&-\u202e\n\x00operator"), max_size=120),
    st.integers(12, 90),
)
def test_short_name_fits_and_is_printable(demangled: str, width: int) -> None:
    shown = short_name(demangled, width)
    assert 0 < len(shown) <= width
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("µs ≥ 1", "µs ≥ 1"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("bell\x07 esc\x1b[31m", "bell\\x07 esc\\x1b[31m"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("two\nlines", "two\\x0alines"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half\ud800", "half\\ud800"),
        ("zalgo" + "\u0301" * 50, "zalgo" + "\u0301" * 2),
        ("e\u0301", "e\u0301"),
    ],
)
def test_safe_text(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_safe_text_keeps_lines_where_asked() -> None:
    assert safe_text("a\n\tb\u2028", keep_lines=True) == "a\n\tb\\u2028"


@given(st.text())
def test_safe_text_is_printable_and_settled(text: str) -> None:
    once = safe_text(text)
    assert safe_text(once) == once
    assert not any(char in once for char in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\x1b\x00\n")

"""Function names from what an export prints, as the report's base name gives them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from load.paths import TRIPLES
from ncuanalyze.load import load
from ncuanalyze.load.names import function_name
from ncuanalyze.load.nvtx import range_names


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("axpy", "axpy"),
        ("add(float *, int)", "add"),
        ("void gemm<float, (int)128, true>(const float *, float *, int)", "gemm"),
        ("void ns::outer<ns::tile<128, 64>>::run(unsigned long, const half *)", "run"),
        ("<unnamed>::k(float *)", "k"),
        ("(anonymous namespace)::k<int>(float*)", "k"),
        ("void f<&g<int>(int)>(int)", "f"),
        ("ns::S<int>::operator()(int) const", "operator()"),
        ("ядро_合并_Größe(float *)", "ядро_合并_Größe"),
        ("graph", "graph"),
        ("_Z3addPfi", "add"),
        (
            "_ZN2at6native29vectorized_elementwise_kernelILi8ENS0_3AddEEEviT0_",
            "vectorized_elementwise_kernel",
        ),
        ("_ZN12_GLOBAL__N_11kEPf", "k"),
        # what has no such form stays as it is
        ("=1+1", "=1+1"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("`tick` *star* _under_ [link](x)", "`tick` *star* _under_ [link](x)"),
        ("\x1b[31mred\x1b[0m(int)", "\x1b[31mred\x1b[0m(int)"),
        ("  spaces around  ", "  spaces around  "),
        ("", ""),
        ("_Z", "_Z"),
    ],
)
def test_function_name(kernel, name):
    assert function_name(kernel) == name


@given(st.text(alphabet="ab<>()[]{}:, *&_Z019operator"))
def test_any_name_gives_a_part_of_itself(kernel):
    assert function_name(kernel) in (kernel, "operator()") or function_name(kernel) in kernel


def test_agrees_with_the_module():
    for launch in load(TRIPLES / "eager.ncu-rep.xz").launches:
        assert function_name(launch.demangled) == launch.name


PUSH_POP = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
START_STOP = "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
NONE = "none:none:none:none:none:none"


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("", ()),
        (f'4321  "<default domain>:step:{NONE}" ', ("step",)),
        (f'4321  "<default domain>:outer:{NONE}"  "<default domain>:in: ner:{NONE}" ', ("outer", "in: ner")),
        (f'4321  "<default domain>:a "b", c:{NONE}" ', ('a "b", c',)),
        (f'4321  "dom:outer:{NONE}"  "dom:step:uint64:7:none:none:none:none" ', ("outer", "step")),
    ],
)
def test_range_names(cell, names):
    assert range_names({PUSH_POP: cell, START_STOP: "", "Kernel Name": "k"}) == names


def test_start_stop_ranges_come_last():
    row = {
        START_STOP: f'1  "<default domain>:phase:{NONE}" ',
        PUSH_POP: f'9  "<default domain>:step:{NONE}" ',
    }
    assert set(range_names(row)) == {"step", "phase"}

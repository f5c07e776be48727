"""Every unit ncu prints leads to one base unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.units import unit_of, unit_of_metric


@pytest.mark.parametrize(
    ("spelling", "base", "factor"),
    [
        ("ns", "ns", 1),
        ("nsecond", "ns", 1),
        ("us", "ns", 1e3),
        ("usecond", "ns", 1e3),
        ("ms", "ns", 1e6),
        ("msecond", "ns", 1e6),
        ("s", "ns", 1e9),
        ("second", "ns", 1e9),
        ("hz", "hz", 1),
        ("Hz", "hz", 1),
        ("Khz", "hz", 1e3),
        ("Mhz", "hz", 1e6),
        ("Ghz", "hz", 1e9),
        ("cycle/second", "hz", 1),
        ("cycle/usecond", "hz", 1e6),
        ("cycle/nsecond", "hz", 1e9),
        ("1/ns", "hz", 1e9),
        ("byte", "byte", 1),
        ("Kbyte", "byte", 1e3),
        ("Mbyte", "byte", 1e6),
        ("Gbyte", "byte", 1e9),
        ("Tbyte", "byte", 1e12),
        ("byte/s", "byte/s", 1),
        ("byte/second", "byte/s", 1),
        ("Gbyte/s", "byte/s", 1e9),
        ("Tbyte/second", "byte/s", 1e12),
        ("byte/block", "byte/block", 1),
        ("Kbyte/block", "byte/block", 1e3),
        ("Kbyte/cycle", "byte/cycle", 1e3),
        ("sector/ns", "sector/s", 1e9),
        ("sector/ms", "sector/s", 1e3),
        ("sectors", "sector", 1),
        ("branches", "branch", 1),
        ("inst/cycle", "inst/cycle", 1),
        ("register/thread", "register/thread", 1),
        ("%/Kbyte", "%/byte", 1e-3),
        ("%", "%", 1),
        ("", "", 1),
        ("SM", "SM", 1),
        ("furlong", "furlong", 1),
    ],
)
def test_unit(spelling, base, factor):
    assert unit_of(spelling) == (base, pytest.approx(factor))


@pytest.mark.parametrize(
    ("name", "spelling", "base", "factor"),
    [
        ("gpu__time_duration.sum", "", "ns", 1),
        ("gpu__time_duration", "", "ns", 1),
        ("sm__sol_pct", "", "%", 1),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "", "%", 1),
        ("dram__bytes.sum", "", "byte", 1),
        ("dram__bytes.sum.per_second", "", "byte/s", 1),
        ("dram__read_bytes_per_sec", "", "byte/s", 1),
        ("dram__frequency", "", "hz", 1),
        ("gpc__elapsed_cycles_max", "", "cycle", 1),
        ("idc__requests.sum", "", "request", 1),
        ("launch__waves_per_multiprocessor", "", "", 1),
        ("launch__grid_size", "", "", 1),
        ("smsp__issue_active.avg.per_cycle_active", "", "", 1),
        # derived metrics lose the rate of their unit
        ("derived__lts__lts2xbar_bytes.sum.per_second", "Tbyte", "byte/s", 1e12),
        ("derived__lts__lts2xbar_bytes.sum.peak_sustained", "Kbyte", "byte/cycle", 1e3),
        ("derived__avg_thread_executed", "thread", "thread", 1),
    ],
)
def test_unit_of_metric(name, spelling, base, factor):
    assert unit_of_metric(name, spelling) == (base, factor)


@pytest.mark.parametrize(
    ("name", "given", "base"),
    [
        ("breakdown:gpu__compute_memory_throughput.sum.pct_of_peak_sustained_elapsed", ("%", "byte"), "%"),
        ("derived__memory_l2_theoretical_sectors_global_excessive", ("sector", "byte"), "sector"),
        ("derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", ("inst", "thread"), "inst"),
        ("sass__inst_executed_register_spilling_mem_shared", ("inst", "byte"), "inst"),
        ("smsp__pcsamp_warps_issue_stalled_membar", ("warp", "byte"), "warp"),
        ("smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued", ("warp", "inst"), "warp"),
    ],
)
def test_what_ncu_report_was_asked_before_does_not_decide(name, given, base):
    """Each of these was given with either unit, in one report, by the order in which its metrics were asked for."""
    assert {unit_of_metric(name, spelling).base for spelling in given} == {base}


@given(st.text(), st.text())
def test_no_spelling_fails(name, spelling):
    assert unit_of_metric(name, spelling).factor > 0


@given(st.sampled_from(["ns", "byte", "byte/s", "hz", "cycle", "%", "sector/s", "byte/block", "inst/cycle"]))
def test_base_units_stay(unit):
    assert unit_of(unit) == (unit, 1.0)

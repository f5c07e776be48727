"""The GEMM table of docs/roofline.md holds what the fixtures read."""

from pathlib import Path

import pytest
from roofline_launches import gemm

from ncuanalyze.analysis.ceilings import shipped_ceilings
from ncuanalyze.analysis.roofline import roofline_of

PAGE = (Path(__file__).parents[2] / "docs" / "roofline.md").read_text("utf-8")
ROWS = [
    [cell.strip(" `") for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith(("| `gemm", "| `gemv", "| `bmm"))
]


def test_the_table_covers_the_precisions_of_the_suite() -> None:
    named = {row[1] for row in ROWS}
    assert {"BF16", "FP16", "TF32", "FP8", "INT8", "FP64", "FP16, 2:4 sparse"} <= named


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_is_what_the_report_reads(row: list[str]) -> None:
    nvtx, precision, instruction, flop, _, tera, own, best, nearest = row
    found = roofline_of(gemm(nvtx))
    assert found is not None
    count = found.flops[0]
    sparse = ", 2:4 sparse" if count.sparse else ""
    assert (count.precision + sparse, count.instruction or "-") == (precision, instruction)
    assert f"{count.flop:,.0f}" == flop
    assert f"{(count.flop_per_s or 0) / 1e12:,.0f}" == tera
    assert (f"{count.utilization_pct:.1f}", f"{count.best_path_pct:.1f}") == (own, best)
    assert f"{found.nearest_roof} {found.nearest_roof_pct:.1f}" == nearest


def test_the_ceilings_table_holds_the_shipped_values() -> None:
    shipped = shipped_ceilings("NVIDIA H200")
    assert shipped is not None
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in PAGE.splitlines()]
    table = {row[0]: (row[1], row[4]) for row in rows if len(row) == 5 and row[1][:1].isdigit()}
    assert table == {item.roof: (f"{item.pct_of_roof:.1f}", item.kernel) for item in shipped.ceilings}

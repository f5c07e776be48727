"""The schema of the dataset: documented column by column, and true to the diagnosis."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, InProcess, run
from ncuanalyze.batch.columns import COLUMNS, SCHEMA, arrow_schema, rows_of
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.row_values import profiled_at
from ncuanalyze.diagnosis import from_dict

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "batch.md"
BEGIN, END = "<!-- columns: begin -->\n", "<!-- columns: end -->"
KINDS = {
    "text": "string",
    "texts": "list of strings",
    "number": "double",
    "integer": "int64",
    "truth": "bool",
    "time": "timestamp, µs, UTC",
    "findings": "list of structs",
}


def documented() -> str:
    lines = ["| Column | Type | Meaning |", "| --- | --- | --- |"]
    lines += [f"| `{column.name}` | {KINDS[column.kind]} | {column.about} |" for column in COLUMNS]
    return "\n".join(lines) + "\n"


def test_every_column_is_documented(update_golden: bool) -> None:
    text = DOCUMENT.read_text()
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    if update_golden:
        DOCUMENT.write_text(f"{before}{BEGIN}{documented()}{END}{after}")
    else:
        assert table == documented(), "run: pytest tests/batch/test_columns.py --update-golden"


def test_names_are_unique_and_numbers_say_their_unit() -> None:
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert arrow_schema().names == names
    assert arrow_schema().metadata[b"schema"].decode() == SCHEMA


@pytest.fixture(scope="module")
def demo() -> tuple[Entry, dict[str, Any]]:
    outcome = InProcess().diagnose(ROOT / "fixtures" / "demo.ncu-rep.xz")
    entry = Entry(report="night/demo.ncu-rep.xz", sha256="ab", kernels=outcome.kernels, created=outcome.created)
    return entry, outcome.document()


def test_rows_say_what_the_diagnosis_says(demo: tuple[Entry, dict[str, Any]]) -> None:
    entry, document = demo
    diagnosis = from_dict(document)
    rows = list(rows_of(entry, document))
    assert len(rows) == len(diagnosis.kernels) == entry.kernels
    for row, kernel in zip(rows, diagnosis.kernels, strict=True):
        assert kernel.speed_of_light and kernel.occupancy and kernel.memory and kernel.stalls and kernel.duration_ns
        assert (row["kernel"], row["bound"], row["gpu"]) == (kernel.kernel.name, kernel.bound, diagnosis.device.name)
        assert (row["grid_x"], row["grid_y"], row["grid_z"]) == kernel.kernel.grid
        assert (row["duration_ns"], row["sm_pct"]) == (kernel.duration_ns, kernel.speed_of_light.sm_pct)
        assert row["occupancy_pct"] == kernel.occupancy.achieved_pct
        assert row["dram_bytes"] == next(level.bytes for level in kernel.memory.levels if level.level == "dram")
        assert row["stall"] == kernel.stalls.reasons[0].reason
        assert [finding["id"] for finding in row["findings"]] == [finding.id for finding in kernel.findings]
        assert row["saved_ns"] == pytest.approx(kernel.duration_ns * (kernel.headroom_pct or 0) / 100)
        assert (row["profiled_at"], row["profiled_at_source"]) == (
            datetime(2026, 11, 29, 19, 48, 39, tzinfo=UTC),
            "report",
        )


@pytest.mark.parametrize(
    ("speedups", "cause"),
    [((None, 1.1, 3.0), "b"), ((2.0, None), "a"), ((None, None), "a"), ((), None)],
    ids=["the one that promises", "the first", "named only", "none"],
)
def test_the_cause_and_the_saving_are_of_one_finding(
    demo: tuple[Entry, dict[str, Any]], speedups: tuple[float | None, ...], cause: str | None
) -> None:
    entry, document = demo
    findings = [
        {
            "id": "abc"[n],
            "kind": "cause",
            "speedup": None if gain is None else {"low": gain, "estimate": gain, "high": gain},
        }
        for n, gain in enumerate(speedups)
    ]
    kernel = document["kernels"][0] | {"findings": findings}
    (row,) = rows_of(entry, document | {"kernels": [kernel]})
    assert (row["cause"], row["cause_speedup"]) == (cause, next((gain for gain in speedups if gain), None))


def test_what_was_not_measured_is_null(tmp_path: Path) -> None:
    run([ODD / "kernel_names.csv"], tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "kernels" / "part-00000.parquet")
    for name in ("dram_bytes", "occupancy_pct", "flop", "profiled_at", "l2_hit_pct"):
        assert table[name].null_count == table.num_rows, name


def test_a_number_that_no_column_can_hold_is_null() -> None:
    kernel = {"kernel": {"grid": [2**63, -(2**63), 2**63 - 1]}}
    document = {"kernels": [kernel], "source": {}, "device": {"sm_count": 2**70}}
    (row,) = rows_of(Entry(report="a"), document)
    assert (row["grid_x"], row["grid_y"], row["grid_z"]) == (None, -(2**63), 2**63 - 1)
    assert row["sm_count"] is None


@pytest.mark.parametrize(("flops", "total"), [([], None), ([2.0, 3.0], 5.0), ([2.0, None], None)])
def test_a_missing_count_leaves_no_total(flops: list[float | None], total: float | None) -> None:
    kernel = {"roofline": {"flops": [{"flop": flop} for flop in flops]}}
    (row,) = rows_of(Entry(report="a"), {"kernels": [kernel]})
    assert row["flop"] == total


DATES = {
    "nightly/2026-03-01/gemm.ncu-rep": "2026-03-01",
    "nightly/20260301/gemm.ncu-rep": "2026-03-01",
    "nightly/2026/03/gemm_2026_03_01.csv": "2026-03-01",
    "2025-01-01/rerun-2026-03-01.csv": "2026-03-01",
    "nightly/2026-02-31/gemm.csv": None,
    "nightly/2026-13-01/gemm.csv": None,
    "build1202603019/gemm.csv": None,
    "2026-0301/gemm.csv": None,
    "gemm.csv": None,
}


@pytest.mark.parametrize("report", DATES)
def test_the_date_of_a_report_without_one_is_in_its_path(report: str) -> None:
    found = profiled_at(Entry(report=report))
    assert (found.date().isoformat() if found else None) == DATES[report]


def test_the_report_knows_its_date_best() -> None:
    entry = Entry(report="2026-03-01/a.ncu-rep", created="2026-02-28T23:00:00+00:00")
    assert profiled_at(entry) == datetime(2026, 2, 28, 23, tzinfo=UTC)


def test_hostile_texts_reach_the_columns_harmless(tmp_path: Path) -> None:
    """A lone surrogate, which JSON can spell, is no text that Parquet can hold."""
    saved = InProcess().diagnose(ODD / "raw_units.csv").document()
    saved["kernels"][0]["kernel"]["name"] = "k\ud800\u202e\x00"
    (tmp_path / "saved.json").write_text(json.dumps(saved))
    result = run([tmp_path / "saved.json"], tmp_path / "out")
    assert (result.errors, result.kernels) == (0, len(saved["kernels"]))
    names = pq.read_table(tmp_path / "out" / "kernels" / "part-00000.parquet", columns=["kernel"])["kernel"].to_pylist()
    assert names[0] == "k?\u202e\x00"

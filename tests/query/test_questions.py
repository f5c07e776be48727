"""Each question over a dataset small enough to answer by hand."""

import math
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.query import Answer, Choices, Teams, ask, ask_sql, questions
from ncuanalyze.query import dataset as query_dataset
from query.datasets import dataset, launch

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

OLD, NEW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)


def column(answer: Answer, name: str) -> list[Any]:
    return [row[answer.columns.index(name)] for row in answer.rows]


def question(name: str, folder: Path, **choices: Any) -> Answer:
    return ask(folder, questions()[name], Choices(**choices))


def test_slowest_ranks_medians_within_each_gpu(tmp_path: Path) -> None:
    rows = [launch("gemm", ns, gpu="H200") for ns in (10, 20, 90)]
    rows += [launch("copy", 30, gpu="H200"), launch("sum", 5, gpu="H200"), launch("gemm", 400, gpu="A100")]
    rows += [launch("failed", None, gpu="A100")]
    answer = question("slowest", dataset(tmp_path, rows, parts=2), top=2)
    assert column(answer, "gpu") == ["A100", "H200", "H200"]
    assert column(answer, "kernel") == ["gemm", "copy", "gemm"]
    assert column(answer, "median_ns") == [400, 30, 20]
    assert column(answer, "total_ns") == [400, 30, 120]


def test_moved_needs_both_sides_and_more_than_noise(tmp_path: Path) -> None:
    rows = []
    for kernel, before, since in (
        ("slower", [100, 100, 101], [120, 121, 120]),
        ("faster", [100, 100, 100], [50, 50, 50]),
        ("within threshold", [100, 100, 100], [102, 102, 102]),
        ("within noise", [100, 140, 60], [110, 150, 70]),
        ("only new", [], [10]),
        ("only old", [10], []),
    ):
        rows += [launch(kernel, ns, profiled_at=OLD, cycles=2.0 * ns, bound="memory") for ns in before]
        rows += [launch(kernel, ns, profiled_at=NEW, cycles=2.0 * before[0], bound="compute") for ns in since if before]
        rows += [launch(kernel, ns, profiled_at=NEW) for ns in since if not before]
    rows += [launch("slower", 1, profiled_at=None)]
    answer = question("moved", dataset(tmp_path, rows), since=datetime(2026, 2, 1, tzinfo=UTC))
    assert column(answer, "kernel") == ["faster", "slower"]
    assert column(answer, "change_pct") == pytest.approx([-50, 20])
    assert column(answer, "cycles_change_pct") == pytest.approx([0, 0], abs=1.1)
    assert (column(answer, "bound_before"), column(answer, "bound_since")) == (["memory"] * 2, ["compute"] * 2)
    assert "1 launches have no date" in answer.note


def test_the_day_itself_is_new_and_the_threshold_counts_as_beyond(tmp_path: Path) -> None:
    rows = [launch("k", 100, profiled_at=OLD), launch("k", 110, profiled_at=NEW)]
    folder = dataset(tmp_path, rows)
    assert len(question("moved", folder, since=NEW, threshold_pct=9.9).rows) == 1
    assert len(question("moved", folder, since=NEW, threshold_pct=10.1).rows) == 0
    assert len(question("moved", folder, since=OLD).rows) == 0


@pytest.mark.parametrize(
    ("choices", "note"),
    [
        (
            {"since": datetime(2025, 1, 1, tzinfo=UTC)},
            "no launches before 2025-01-01, the dates are 2026-01-01 to 2026-03-01",
        ),
        (
            {"since": datetime(2027, 1, 1, tzinfo=UTC)},
            "no launches since 2027-01-01, the dates are 2026-01-01 to 2026-03-01",
        ),
        ({"since": NEW, "gpu": "A100"}, "no launch is chosen by --gpu and --kernel"),
        ({"since": NEW, "kernel": "zzz"}, "no launch is chosen by --gpu and --kernel"),
        ({"since": NEW}, ""),
    ],
)
def test_what_cannot_have_moved_is_said(tmp_path: Path, choices: dict[str, Any], note: str) -> None:
    rows = [launch("k", 100, profiled_at=day, gpu="H200") for day in (OLD, OLD, NEW, NEW)]
    answer = question("moved", dataset(tmp_path, rows), **choices)
    assert (answer.rows, answer.note.removeprefix("nothing can have moved: ")) == ((), note)


def test_shapes_are_different_kernels(tmp_path: Path) -> None:
    rows = [launch("k", 100, profiled_at=OLD, grid_x=1), launch("k", 900, profiled_at=NEW, grid_x=9)]
    assert question("moved", dataset(tmp_path, rows), since=NEW).rows == ()


TEAM_NAMES = {
    "void at::native::add<float>(float*)": "at",
    "attn_fwd": "attn",
    "cutlass::Kernel2<x>": "cutlass",
    "_fwd_kernel": "fwd",
    "void __global_x()": "global",
    "___": "(other)",
    "<unnamed>": "(other)",
    "": "(other)",
}


@pytest.mark.parametrize("name", TEAM_NAMES, ids=lambda name: name[:12] or "empty")
def test_a_team_by_name(tmp_path: Path, name: str) -> None:
    mine = launch(name, 1, cause="c", cause_title="C", saved_ns=1.0)
    folder = dataset(tmp_path, [mine, {**mine, "kernel": "another"}])
    assert column(question("causes", folder), "team") == [TEAM_NAMES[name]]


def test_a_word_of_one_function_names_no_team(tmp_path: Path) -> None:
    """Every kernel with a name of its own was a team of one."""
    names = ("attn_fwd", "attn_bwd", "gemm", "gemm", "softmax")
    rows = [launch(name, 1, cause="c", cause_title="C", saved_ns=1.0) for name in names]
    folder = dataset(tmp_path, [*rows, {**rows[2], "demangled": "gemm<float>"}])
    answer = question("causes", folder)
    assert dict(zip(column(answer, "team"), column(answer, "launches"), strict=True)) == {"attn": 2, "(other)": 4}
    assert column(question("causes", folder, kernel="attn_fwd"), "team") == ["attn"]


@pytest.mark.parametrize(
    ("teams", "expected"),
    [
        (Teams(by="folder"), ["(none)", "b", "c"]),
        (Teams(by="nvtx"), ["search", "(other)"]),
        (Teams(prefixes=("attn_", "attn_bwd")), ["attn_", "attn_bwd", "(other)"]),
        (Teams(by="folder", prefixes=("all/b",)), ["(other)", "all/b"]),
        (Teams(by="nvtx", prefixes=("sea", "search/q")), ["search/q", "sea", "(other)"]),
    ],
    ids=str,
)
def test_teams_by_folder_range_and_prefix(tmp_path: Path, teams: Teams, expected: list[str]) -> None:
    rows = [
        launch("attn_fwd", 1, report="all/b/x/1.csv", nvtx=["search/query"], cause="c", cause_title="C", saved_ns=3.0),
        launch("attn_bwd_dq", 1, report="all/c/2.csv", nvtx=["search"], cause="c", cause_title="C", saved_ns=2.0),
        launch("gemm", 1, report="all/3.csv", nvtx=[], cause="c", cause_title="C", saved_ns=1.0),
    ]
    answer = question("causes", dataset(tmp_path, rows), teams=teams)
    assert set(column(answer, "team")) == set(expected)


def test_reports_of_one_folder_are_of_no_team_by_folder(tmp_path: Path) -> None:
    rows = [launch("k", 1, report=f"all/{name}.csv", cause="c", cause_title="C") for name in ("a", "b")]
    answer = question("causes", dataset(tmp_path / "two", rows), teams=Teams(by="folder"))
    assert column(answer, "team") == ["(none)"]
    answer = question("causes", dataset(tmp_path / "one", rows[:1]), teams=Teams(by="folder"))
    assert column(answer, "team") == ["(none)"]


def test_causes_count_launches_and_keep_the_share_of_all(tmp_path: Path) -> None:
    rows = [launch("a_x", 1, cause="spill", cause_title="Spills", saved_ns=1.0)] * 3
    rows += [launch("a_y", 1, cause="tail", cause_title="Tail", saved_ns=9.0), launch("a_z", 1)]
    answer = question("causes", dataset(tmp_path, rows), top=1)
    assert (column(answer, "cause"), column(answer, "launches"), column(answer, "share_pct")) == (
        ["spill"],
        [3],
        [60.0],
    )


def test_headroom_weighs_by_time_and_leaves_the_unknown_out(tmp_path: Path) -> None:
    rows = [launch("a", 100, saved_ns=50.0, cause="c", cause_title="C"), launch("a", 300, saved_ns=30.0)]
    rows += [launch("b", 1000, saved_ns=None), launch("c", 10, saved_ns=0.0)]
    answer = question("headroom", dataset(tmp_path, rows))
    assert column(answer, "kernel") == ["a", "c", "b"]
    assert column(answer, "saved_ns") == [80, 0, None]
    assert column(answer, "headroom_pct") == [20, 0, None]


def test_a_launch_without_a_gain_does_not_hide_what_pays_most(tmp_path: Path) -> None:
    spill, tail = ({"cause": word, "cause_title": word} for word in ("spill", "tail"))
    rows = [launch("a", 100, saved_ns=50.0, **spill), launch("a", 200, saved_ns=10.0, **tail)]
    rows += [launch("a", 300, saved_ns=None, bound=None), launch("a", 300, saved_ns=None, bound="compute")]
    folder = dataset(tmp_path, rows)
    assert column(question("headroom", folder), "pays_most") == ["spill"]
    assert column(question("slowest", folder), "pays_most") == ["tail"]
    assert column(question("headroom", folder), "bound") == column(question("slowest", folder), "bound") == ["compute"]


def test_filters(tmp_path: Path) -> None:
    folder = dataset(tmp_path, [launch("gemm", 1, gpu="NVIDIA H200"), launch("copy", 1, gpu="NVIDIA A100")])
    assert column(question("slowest", folder, gpu="h200"), "kernel") == ["gemm"]
    assert column(question("slowest", folder, kernel="^c.py$"), "kernel") == ["copy"]
    with pytest.raises(InvalidInput, match="--kernel: '\\(' is no regular expression") as caught:
        question("slowest", folder, kernel="(")
    assert "backslash" in caught.value.hint


@pytest.mark.parametrize("name", questions())
def test_every_question_has_an_answer_for_an_empty_dataset(tmp_path: Path, name: str) -> None:
    answer = question(name, dataset(tmp_path, []), since=OLD)
    assert answer.rows == ()
    assert set(answer.shown) <= set(answer.columns)


def test_moved_without_a_date(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="needs a date"):
        question("moved", dataset(tmp_path, []))


OUT_OF_REACH = [
    "COPY (SELECT 1) TO '{}/stolen.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM glob('/*')",
    "ATTACH '{}/other.db'",
    "EXPORT DATABASE '{}/all'",
    "SET enable_external_access = true",
    "INSTALL httpfs",
    "DELETE FROM kernels",
    "SELECT nothing FROM nowhere",
    "SELEC",
]


@pytest.mark.parametrize("sql", OUT_OF_REACH, ids=lambda sql: sql[:24])
def test_sql_reads_the_dataset_and_nothing_else(tmp_path: Path, sql: str) -> None:
    folder = dataset(tmp_path, [launch("k", 1)])
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InvalidInput, match="the query failed"):
        ask_sql(folder, sql.format(tmp_path))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("sql", ["", ";", "-- SELECT 1"])
def test_sql_without_a_statement_is_an_error(tmp_path: Path, sql: str) -> None:
    with pytest.raises(InvalidInput, match="the SQL holds no statement"):
        ask_sql(dataset(tmp_path, [launch("k", 1)]), sql)


IN_THE_WORKING_FOLDER = [
    "SELECT * FROM read_csv('.tmp/secret.csv')",
    "SELECT * FROM '.tmp/secret.csv'",
    "SELECT * FROM glob('.tmp/*')",
    "COPY (SELECT 1) TO '.tmp/stolen.csv'",
    "ATTACH '.tmp/other.db'",
    "COPY kernels FROM '.tmp/secret.csv'",
]


@pytest.mark.parametrize("sql", IN_THE_WORKING_FOLDER)
def test_no_folder_for_temporary_files_is_within_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    folder = dataset(tmp_path / "data", [launch("k", 1)])
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".tmp" / "secret.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="the query failed"):
        ask_sql(folder, sql)
    assert [file.name for file in (tmp_path / ".tmp").iterdir()] == ["secret.csv"]


def test_a_query_that_does_not_fit_into_memory_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncuanalyze.query.dataset._LOCKED", ("SET memory_limit='20MB'", *query_dataset._LOCKED))
    folder = dataset(tmp_path / "data", [launch("k", 1)])
    with pytest.raises(InvalidInput, match="Out of Memory") as caught:
        ask_sql(folder, "SELECT * FROM range(5000000) AS t(i) ORDER BY hash(i)")
    assert "nothing is put on disk" in caught.value.hint


def test_own_sql(tmp_path: Path) -> None:
    answer = ask_sql(dataset(tmp_path, [launch("k", math.inf), launch("k", 2.0)]), "SELECT count(*) AS n FROM kernels")
    assert answer == Answer(columns=("n",), rows=((2,),))


def test_rows_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # all of them were fetched, until memory ran out
    monkeypatch.setattr(import_module("ncuanalyze.query.ask"), "MOST_ROWS", 10)
    folder = dataset(tmp_path, [])
    assert len(ask_sql(folder, "SELECT * FROM range(10)").rows) == 10
    with pytest.raises(InvalidInput, match="more than 10 rows") as raised:
        ask_sql(folder, "SELECT * FROM range(11)")
    assert "LIMIT" in raised.value.hint


def test_what_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds no dataset"):
        ask_sql(tmp_path, "SELECT 1")

"""``ncuanalyze query`` as a user meets it."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batch.in_process import ODD, run
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group
from ncuanalyze.cli.query import QUESTIONS, parse_date
from ncuanalyze.errors import InvalidInput
from ncuanalyze.query import questions

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("data") / "out"
    run([ODD / "kernel_names.csv", ODD / "raw_units.csv", ODD.parent / "triples" / "c26.ncu-rep.xz"], output)
    return output


def query(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, ["query", *(str(item) for item in arguments)])


def test_the_command_knows_the_questions() -> None:
    assert set(QUESTIONS) == set(questions())


@pytest.mark.parametrize("question", [["slowest"], ["causes"], ["headroom"], ["moved", "--since", "2026-01-01"]])
def test_each_question_fits_a_terminal(dataset: Path, question: list[str]) -> None:
    result = query(dataset, *question)
    assert result.exit_code == 0
    assert result.stdout.strip()
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_columns_that_do_not_fit_become_lines(dataset: Path) -> None:
    sql = "SELECT report, report_sha256, summary, demangled, profiled_at, duration_ns FROM kernels LIMIT 2"
    out = query(dataset, "--sql", sql).stdout
    for name in ("report", "report sha256", "summary", "demangled", "profiled at", "duration"):
        assert [line[: len("report sha256")].rstrip() for line in out.splitlines()].count(name) == 2
    assert max(map(len, out.splitlines())) <= 80


def test_csv_and_json_hold_the_same(dataset: Path) -> None:
    rows = json.loads(query(dataset, "headroom", "--format", "json").stdout)
    lines = list(csv.DictReader(io.StringIO(query(dataset, "headroom", "-f", "csv").stdout)))
    assert [row["gpu"] or "" for row in rows] == [line["gpu"] for line in lines]
    assert [row["total_ns"] for row in rows] == [float(line["total_ns"]) for line in lines]


def test_moments_lists_and_missing_values_have_a_form(dataset: Path) -> None:
    odd = "['a'] AS names, NULL AS none, 'nan'::DOUBLE AS odd, '=1+1' AS sum"
    sql = f"SELECT max(profiled_at) AS last, {odd} FROM kernels"
    (row,) = json.loads(query(dataset, "--sql", sql, "-f", "json").stdout)
    assert row["last"].startswith("2026-11-29T") and row["last"].endswith("+00:00")
    assert (row["names"], row["none"], row["odd"], row["sum"]) == (["a"], None, None, "=1+1")
    assert "'=1+1" in query(dataset, "--sql", sql, "-f", "csv").stdout
    assert query(dataset, "--sql", sql).exit_code == 0


FAITHFUL: dict[str, tuple[str, str, str]] = {  # SQL: as JSON, as a cell of CSV
    "truth": ("true", "true", "true"),
    "falsehood": ("false", "false", "false"),
    "missing": ("NULL", "null", '""'),
    "nan": ("'nan'::DOUBLE", "null", '""'),
    "infinity": ("'inf'::DOUBLE", '"Infinity"', "Infinity"),
    "minus infinity": ("'-inf'::DOUBLE", '"-Infinity"', "-Infinity"),
    "float": ("0.1::DOUBLE", "0.1", "0.1"),
    "decimal": ("12345678901234567.890::DECIMAL(38, 3)", "12345678901234567.890", "12345678901234567.890"),
    "huge integer": (
        "170141183460469231731687303715884105727::HUGEINT",
        *["170141183460469231731687303715884105727"] * 2,
    ),
    "list": ("[1, NULL, 2]", "[1, null, 2]", '"[1, null, 2]"'),
    "list with nan": ("['nan'::DOUBLE, 'inf'::DOUBLE]", '[null, "Infinity"]', '"[null, ""Infinity""]"'),
    "struct": ("{'a': DATE '2026-03-01'}", '{"a": "2026-03-01"}', '"{""a"": ""2026-03-01""}"'),
    "map by date": ("MAP {DATE '2026-03-01': 1.5::DOUBLE}", '{"2026-03-01": 1.5}', '"{""2026-03-01"": 1.5}"'),
    "map by number": ("MAP {7: [TRUE]}", '{"7": [true]}', '"{""7"": [true]}"'),
    "moment": ("TIMESTAMP '2026-03-01 18:00:00.5'", '"2026-03-01T18:00:00.5"', "2026-03-01T18:00:00.5"),
    "moment with zone": (
        "'2026-03-01 18:00:00+02'::TIMESTAMPTZ",
        '"2026-03-01T16:00:00+00:00"',
        "2026-03-01T16:00:00+00:00",
    ),
    "nanoseconds": (  # Python's own have microseconds
        "'2026-03-01 18:00:00.123456789'::TIMESTAMP_NS",
        '"2026-03-01T18:00:00.123456789"',
        "2026-03-01T18:00:00.123456789",
    ),
    "endless": ("'infinity'::DATE", '"infinity"', "infinity"),  # Python's last day is 9999-12-31
    "last day": ("'9999-12-31'::DATE", '"9999-12-31"', "9999-12-31"),
    "endless moment": ("'-infinity'::TIMESTAMPTZ", '"-infinity"', "'-infinity"),
    "missing day": ("NULL::DATE", "null", '""'),
    "before Christ": ("'0044-03-15 (BC)'::DATE", '"0044-03-15 (BC)"', "0044-03-15 (BC)"),
    "far off": ("'12000-01-01 01:02:03'::TIMESTAMP", '"12000-01-01T01:02:03"', "12000-01-01T01:02:03"),
    "midnight": ("'24:00:00'::TIME", '"24:00:00"', "24:00:00"),
    "time with zone": ("'12:00:00+02'::TIMETZ", '"12:00:00+02:00"', "12:00:00+02:00"),
    "list of days": ("['infinity'::DATE, NULL]", '["infinity", null]', '"[""infinity"", null]"'),
    "struct with names of types": (
        "{'DATE': 1, 'a b': 'infinity'::TIMESTAMP_NS}",
        '{"DATE": 1, "a b": "infinity"}',
        '"{""DATE"": 1, ""a b"": ""infinity""}"',
    ),
    "map by endless": ("MAP {'infinity'::DATE: 1}", '{"infinity": 1}', '"{""infinity"": 1}"'),
    "union": ("union_value(day := '2026-03-01'::DATE)", '"2026-03-01"', "2026-03-01"),
    "period": ("INTERVAL '90061.5 seconds'", '"PT90061.5S"', "PT90061.5S"),
    "bytes": ("'\\x00\\xFF'::BLOB", '"00ff"', "00ff"),
    "control": ("chr(155) || chr(8238) || chr(127)", '"\\u009b\\u202e\\u007f"', "\\x9b\\u202e\\x7f"),
    "number as text": ("'-1'", '"-1"', "-1"),
    "formula": ("'-1+cmd'", '"-1+cmd"', "'-1+cmd"),
}


@pytest.mark.parametrize("kind", FAITHFUL)
def test_a_value_reaches_other_programs_as_it_is(dataset: Path, kind: str) -> None:
    sql, as_json, as_csv = FAITHFUL[kind]
    sql = f"SELECT {sql} AS v"
    assert query(dataset, "--sql", sql, "-f", "json").stdout == f'[\n{{"v": {as_json}}}\n]\n'
    assert query(dataset, "--sql", sql, "-f", "csv").stdout == f"v\n{as_csv}\n"
    shown = query(dataset, "--sql", sql)
    assert (shown.exit_code, set(shown.stdout) & {"\x7f", "\x9b", "\u202e"}) == (0, set())


def test_times_change_nothing_else_of_a_query(dataset: Path) -> None:
    odd = "WITH d AS (SELECT DATE '2026-03-01' + i::INTEGER AS day, i FROM range(20000) t(i)) "
    sql = odd + "SELECT day, i AS day, 'a' AS \"x\"\"y\" FROM d ORDER BY i % 100, i DESC -- the last;\n;"
    rows = json.loads(query(dataset, "--sql", sql, "-f", "json").stdout)
    assert [row["day_2"] for row in rows] == sorted(range(20_000), key=lambda i: (i % 100, -i))
    assert list(rows[0].items()) == [("day", "2080-08-24"), ("day_2", 19_900), ('x"y', "a")]


def test_columns_of_one_name_are_all_there(dataset: Path) -> None:
    sql = "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a"
    (row,) = json.loads(query(dataset, "--sql", sql, "-f", "json").stdout)
    assert row == {"a": 1, "a_3": 2, "a_2": 3, "a_4": 4}
    assert query(dataset, "--sql", sql, "-f", "csv").stdout == "a,a_3,a_2,a_4\n1,2,3,4\n"


def test_no_rows(dataset: Path) -> None:
    sql = "SELECT 1 AS a WHERE false"
    assert query(dataset, "--sql", sql, "-f", "json").stdout == "[]\n"
    assert query(dataset, "--sql", sql, "-f", "csv").stdout == "a\n"


def test_the_order_of_rows_says_what_matters_most(dataset: Path) -> None:
    sql = "SELECT * FROM (VALUES ('A', 3), ('B', 2), ('A', 1)) AS t(gpu, n)"
    lines = [line.split() for line in query(dataset, "--sql", sql).stdout.splitlines()]
    assert [line[0] for line in lines if line and line != ["n"]] == ["A", "3", "B", "2", "A", "1"]


def test_a_large_answer_is_shown_in_part_and_written_whole(dataset: Path, tmp_path: Path) -> None:
    shown = query(dataset, "--sql", "SELECT * FROM range(25000)")
    assert len(shown.stdout.splitlines()) == 1_001
    assert "24,000 more rows" in shown.stderr
    assert "more than 100,000 more rows" in query(dataset, "--sql", "SELECT * FROM range(100000000)").stderr
    for form, lines in (("csv", 25_001), ("json", 25_002)):
        assert len(query(dataset, "--sql", "SELECT * FROM range(25000)", "-f", form).stdout.splitlines()) == lines
        query(dataset, "--sql", "SELECT * FROM range(25000)", "-f", form, "-o", tmp_path / form)
        assert len((tmp_path / form).read_text().splitlines()) == lines


def test_a_query_that_fails_midway_leaves_no_file(dataset: Path, tmp_path: Path) -> None:
    sql = "SELECT CASE WHEN i < 150000 THEN i ELSE error('late')::INT END FROM range(200000) AS t(i)"
    result = query(dataset, "--sql", sql, "-f", "csv", "-o", tmp_path / "rows.csv")
    assert (result.exit_code, "late" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sql", ["SELECT count(*) FROM range(10000000000000)", "SELECT * FROM range(10000000000000)"])
def test_ctrl_c_ends_a_query_at_once(dataset: Path, sql: str) -> None:
    command = [
        sys.executable,
        "-c",
        "from ncuanalyze.cli.main import main; main()",
        "query",
        str(dataset),
        "--sql",
        sql,
    ]
    running = subprocess.Popen(
        [*command, "-f", "csv"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(4)
    assert running.poll() is None
    begin = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert (running.returncode, said.split()) == (1, ["Aborted!"])
    assert time.monotonic() - begin < 10


def test_a_control_character_of_a_name_does_not_reach_the_terminal(dataset: Path) -> None:
    sql = "SELECT chr(27) || '[31mred' AS gpu, chr(27) AS kernel, chr(8238) AS x"
    out = query(dataset, "--sql", sql).stdout + query(dataset, "--sql", sql, "-f", "csv").stdout
    assert not {"\x1b", "\u202e"} & set(out)


WRONG = [
    ([], "give a question or --sql", 2),
    (["slowest", "--sql", "SELECT 1"], "give a question or --sql", 2),
    (["moved", "--since", "yesterday"], "is no date", 2),
    (["--sql", "SELECT * FROM nowhere"], "the query failed", 1),
]


@pytest.mark.parametrize(("arguments", "said", "code"), WRONG, ids=lambda value: str(value)[:20])
def test_what_a_user_gets_wrong(dataset: Path, arguments: list[str], said: str, code: int) -> None:
    result = query(dataset, *arguments)
    assert (result.exit_code, said in result.stderr) == (code, True)
    assert "Hint: " in result.stderr


MISUSED = [
    (["moved"], "moved needs a date"),
    *((["--sql", sql], "--sql holds no statement") for sql in ("", " ", ";", "--", "/* SELECT 1 */;")),
    (["moved", "--since", "2026-03-01", "--threshold", "nan"], "no percentage"),
    (["moved", "--since", "2026-03-01", "--threshold", "inf"], "no percentage"),
    (["slowest", "--since", "2026-03-01"], "slowest takes no --since"),
    (["headroom", "--threshold", "3"], "headroom takes no --threshold"),
    (["slowest", "--by", "name"], "slowest takes no --by"),
    (["moved", "--since", "2026-03-01", "--prefix", "a"], "moved takes no --prefix"),
    (["causes", "--since", "2026-03-01"], "causes takes no --since"),
    (["--sql", "SELECT 1", "--gpu", "H200"], "--sql takes no --gpu"),
    (["--sql", "SELECT 1", "-k", "gemm"], "--sql takes no --kernel"),
    (["--sql", "SELECT 1", "--top", "3"], "--sql takes no --top"),
]


@pytest.mark.parametrize(("arguments", "said"), MISUSED, ids=lambda value: " ".join(value)[:30])
def test_what_cannot_be_meant_is_a_usage_error(dataset: Path, arguments: list[str], said: str) -> None:
    result = query(dataset, *arguments)
    assert (result.exit_code, said in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01T18:00", "2026-03-01T18:00:00+00:00"),
        ("2026-03-01T18:00+02:00", "2026-03-01T18:00:00+02:00"),
    ],
)
def test_dates(text: str, iso: str) -> None:
    assert parse_date(text).isoformat() == iso


@pytest.mark.parametrize("text", ["", "now", "2026-02-30", "1.3.2026"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_date(text)

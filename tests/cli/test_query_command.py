"""``ncuanalyze query`` as a user meets it."""

import csv
import io
import json
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


def test_a_control_character_of_a_name_does_not_reach_the_terminal(dataset: Path) -> None:
    sql = "SELECT chr(27) || '[31mred' AS gpu, chr(27) AS kernel, chr(8238) AS x"
    out = query(dataset, "--sql", sql).stdout + query(dataset, "--sql", sql, "-f", "csv").stdout
    assert not {"\x1b", "\u202e"} & set(out)


WRONG = [
    ([], "give a question or --sql"),
    (["slowest", "--sql", "SELECT 1"], "give a question or --sql"),
    (["moved"], "needs a date"),
    (["moved", "--since", "yesterday"], "is no date"),
    (["--sql", "SELECT * FROM nowhere"], "the query failed"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=lambda value: str(value)[:20])
def test_what_a_user_gets_wrong(dataset: Path, arguments: list[str], said: str) -> None:
    result = query(dataset, *arguments)
    assert (result.exit_code, said in result.stderr) == (1, True)
    assert "Hint: " in result.stderr


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

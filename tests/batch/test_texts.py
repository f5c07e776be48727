"""Texts of any length, numbers of any size and results of any size do not grow the process that writes."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, content, run
from ncuanalyze.batch import one_report, parts, totals
from ncuanalyze.batch.fitting import MOST_ITEMS, fitting
from ncuanalyze.batch.json_lines import from_json
from ncuanalyze.batch.outcome import MOST_DOCUMENT_BYTES, MOST_MESSAGE, Ending, Outcome
from ncuanalyze.batch.texts import MOST_TEXT, cut, cut_texts, short_key

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

LONG = "a" * (MOST_TEXT + 1)
CUT = "a" * (MOST_TEXT - 3) + "..."

FITTING = [
    ("text", "a" * MOST_TEXT, "a" * MOST_TEXT),
    ("text", LONG, CUT),
    ("text", 7, None),
    ("texts", [LONG, 7, "b"], [CUT, "b"]),
    ("texts", ["b"] * (MOST_ITEMS + 1), ["b"] * MOST_ITEMS),
    ("texts", "b", None),
    ("integer", 2**63, None),
    ("integer", 2**63 - 1, 2**63 - 1),
    ("number", 10**400, None),
    ("number", 2**53 + 1, float(2**53)),
    ("number", "7", None),
    ("truth", 1, None),
    ("findings", [{"id": LONG, "speedup_low": 10**400}], [{"id": CUT, "speedup_low": None}]),
    ("text", None, None),
]


@pytest.mark.parametrize(("kind", "value", "fits"), FITTING, ids=range(len(FITTING)))
def test_what_a_column_holds(kind: str, value: Any, fits: Any) -> None:
    assert fitting(kind, value) == fits


def test_every_text_of_a_document_is_cut() -> None:
    assert cut("a" * 9, 9) == "a" * 9
    assert cut("a" * 10, 9) == "a" * 6 + "..."
    assert cut_texts({"a": [LONG, 1, None, {"b": (LONG, True)}]}) == {"a": [CUT, 1, None, {"b": [CUT, True]}]}


def test_long_names_are_grouped_apart() -> None:
    assert short_key("a" * 40, 40) == "a" * 40
    one, other = short_key("a" * 41, 40), short_key("a" * 42, 40)
    assert one != other
    assert len(one) == len(other) == 40


def test_the_index_groups_long_names_as_short_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run([ODD / "kernel_names.csv"], tmp_path / "out")
    file = tmp_path / "out" / "kernels" / "part-00000.parquet"
    before = totals.index_of([file], [])
    monkeypatch.setattr(totals, "MOST_NAME", 20)
    after = totals.index_of([file], [])
    assert (after.name_count, after.kernel_count) == (before.name_count, before.kernel_count)
    assert max(len(kernel.name) for kernel in after.kernels) == 20


@pytest.fixture
def long_name(tmp_path: Path) -> Path:
    text = (ODD / "raw_units.csv").read_text()
    header = from_json(b"[" + text.splitlines()[0].encode() + b"]")
    name = from_json(b"[" + text.splitlines()[2].encode() + b"]")[header.index("Kernel Name")]
    (tmp_path / "long.csv").write_text(text.replace(name, "k" * 1_000_000 + "(int)"))
    return tmp_path / "long.csv"


def test_a_name_without_end_is_cut_in_every_file(long_name: Path, tmp_path: Path) -> None:
    run([long_name], tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "kernels" / "part-00000.parquet").to_pylist()
    assert max(len(row["demangled"]) for row in rows) == MOST_TEXT
    with gzip.open(tmp_path / "out" / "diagnoses" / "part-00000.jsonl.gz", "rt") as lines:
        assert max(len(kernel["kernel"]["demangled"]) for kernel in json.loads(next(lines))["kernels"]) == MOST_TEXT
    assert all(len(data) < 200_000 for data in content(tmp_path / "out").values())


def test_long_rows_end_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run([ODD / "raw_units.csv"], tmp_path / "whole")
    monkeypatch.setattr(parts, "CHARACTERS_PER_GROUP", 100)
    run([ODD / "raw_units.csv"], tmp_path / "out")
    groups = [pq.ParquetFile(tmp_path / name / "kernels" / "part-00000.parquet") for name in ("whole", "out")]
    assert [file.num_row_groups for file in groups] == [1, 3]
    pages = [content(tmp_path / name)["index.html"] for name in ("whole", "out")]
    assert pages[0] == pages[1]


def test_a_result_that_unpacks_without_end_is_none() -> None:
    bomb = Outcome(ending=Ending.DIAGNOSED, packed=zlib.compress(b" " * (MOST_DOCUMENT_BYTES + 1)))
    with pytest.raises(ValueError, match="takes more than"):
        bomb.document()


def test_a_diagnosis_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_report, "MOST_DOCUMENT_BYTES", 1000)
    run([ODD / "raw_units.csv"], tmp_path / "out")
    told = json.loads((tmp_path / "out" / "errors.jsonl").read_text())
    assert (told["ending"], told["error"]) == ("refused", "UnreadableReport")
    assert "the diagnosis of its 3 kernels" in told["message"]


def test_a_message_is_such_as_any_file_can_hold() -> None:
    given = Outcome(ending=Ending.REFUSED, message="\ud800" + "a" * 10_000_000, created="yesterday")
    kept = Outcome.from_bytes(given.to_bytes())
    assert kept is not None
    assert kept.message.startswith("\\ud800aaa")
    assert len(kept.message) < 2 * MOST_MESSAGE
    assert kept.created == ""

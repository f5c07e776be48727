"""Parts that are missing, damaged or of another schema: one error that names the file, whatever is asked."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from batch.in_process import ODD, run

from ncuanalyze.errors import InvalidInput, UnreadableReport
from ncuanalyze.query import ask_sql
from ncuanalyze.query.dataset import opened
from query.datasets import dataset, launch, marked, odd_rows

pytest.importorskip("duckdb", reason="duckdb is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

EVERYTHING = "SELECT max(COLUMNS(*)) FROM kernels"


def rewritten(file: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """As another version writes the part, with a mark of its own."""
    import pyarrow.parquet as pq

    pq.write_table(change(pq.read_table(file)), file)
    marked(file.parents[1])


def overwritten(file: Path) -> None:
    """The pages of data are noise; the footer, which comes last, is whole."""
    data = file.read_bytes()
    footer = int.from_bytes(data[-8:-4], "little") + 8
    file.write_bytes(data[:4] + b"\x55" * (len(data) - footer - 4) + data[-footer:])


def flipped(file: Path) -> None:
    """One bit of the data is another."""
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)


def foreign(file: Path) -> None:
    """A part of another dataset, whole in itself and of the size in the manifest."""
    other = dataset(file.parents[2] / "other", odd_rows(300, 2), parts=3)
    file.write_bytes((other / "kernels" / file.name).read_bytes())
    manifest = file.parents[1] / "manifest.json"
    told = json.loads(manifest.read_text())
    told["files"][f"kernels/{file.name}"]["bytes"] = file.stat().st_size
    manifest.write_text(json.dumps(told))


def swapped(file: Path) -> None:
    """Two parts of one dataset in each other's place."""
    first, held = file.with_name("part-00000.parquet"), file.read_bytes()
    file.write_bytes(first.read_bytes())
    first.write_bytes(held)


SPOILED: dict[str, tuple[Callable[[Path], object], str]] = {
    "another version": (
        lambda file: rewritten(file, lambda table: table.replace_schema_metadata({"schema": "ncuanalyze.kernels/2"})),
        "has the schema ncuanalyze.kernels/2, not ncuanalyze.kernels/1",
    ),
    "no version": (
        lambda file: rewritten(file, lambda table: table.replace_schema_metadata(None)),
        "has another schema",
    ),
    "a column is missing": (
        lambda file: rewritten(file, lambda table: table.drop_columns(["saved_ns"])),
        "lacks the column saved_ns",
    ),
    "a column is of another type": (
        lambda file: rewritten(
            file, lambda table: table.set_column(0, "report", pa.nulls(len(table)).cast(pa.int64()))
        ),
        "lacks the column report as string",
    ),
    "cut": (lambda file: file.write_bytes(file.read_bytes()[:-100]), "is damaged"),
    "empty": (lambda file: file.write_bytes(b""), "is damaged"),
    "text": (lambda file: file.write_text("hello" * 100), "is damaged"),
    "pages overwritten": (overwritten, "its SHA-256 is not the one in the manifest"),
    "one bit": (flipped, "its SHA-256 is not the one in the manifest"),
    "of another dataset": (foreign, "its SHA-256 is not the one in the manifest"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_any_part_that_is_not_as_it_should_be_is_named(tmp_path: Path, how: str) -> None:
    folder = dataset(tmp_path / "data", odd_rows(300, 1), parts=3)
    bad = folder / "kernels" / "part-00001.parquet"
    spoil, said = SPOILED[how]
    spoil(bad)
    with pytest.raises(UnreadableReport, match=said) as caught:
        ask_sql(folder, EVERYTHING)
    assert str(caught.value).startswith(f"{bad} ")
    assert "batch again" in caught.value.hint


def test_parts_in_each_others_place_are_damage(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "data", odd_rows(300, 1), parts=3)
    swapped(folder / "kernels" / "part-00001.parquet")
    with pytest.raises(UnreadableReport, match=r"part-0000[01]\.parquet is damaged"):
        ask_sql(folder, EVERYTHING)


def test_a_part_that_is_damaged_while_it_is_asked_is_named(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "data", odd_rows(300, 1), parts=3)
    with pytest.raises(UnreadableReport, match=r"part-00001\.parquet is damaged"), opened(folder) as connection:
        overwritten(folder / "kernels" / "part-00001.parquet")
        connection.execute(EVERYTHING)


def test_a_column_more_is_of_a_later_release(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "data", [launch("k", 1)])
    more = pa.array([1])
    rewritten(folder / "kernels" / "part-00000.parquet", lambda table: table.append_column("new", more))
    assert ask_sql(folder, "SELECT count(*) FROM kernels").rows == ((1,),)


def test_parts_are_those_of_the_manifest(tmp_path: Path) -> None:
    run([ODD / "raw_units.csv"], tmp_path / "out")
    kernels = tmp_path / "out" / "kernels"
    whole = (kernels / "part-00000.parquet").read_bytes()
    (kernels / "part-00001.parquet").write_bytes(whole)
    with pytest.raises(UnreadableReport, match=r"part-00001\.parquet is none of the 1 parts"):
        ask_sql(tmp_path / "out", "SELECT 1")
    (kernels / "part-00000.parquet").unlink()
    with pytest.raises(UnreadableReport, match=r"part-00000\.parquet is missing"):
        ask_sql(tmp_path / "out", "SELECT 1")


def test_a_folder_of_datasets_is_asked_as_one(tmp_path: Path) -> None:
    for month, count in (("2026-01", 2), ("2026-02", 3)):
        dataset(tmp_path / month, [launch("k", 1)] * count)
    (tmp_path / "notes").mkdir()
    assert ask_sql(tmp_path, "SELECT count(*) FROM kernels").rows == ((5,),)
    assert ask_sql(tmp_path / "2026-02", "SELECT count(*) FROM kernels").rows == ((3,),)
    with pytest.raises(InvalidInput, match="holds no dataset"):
        ask_sql(tmp_path / "notes", "SELECT 1")


MANIFESTS = {
    "cut": ("{", "names no part"),
    "no list": (json.dumps({"parts": None}), "names no part"),
    "no object": ("[]", "names no part"),
    "no marks": (json.dumps({"parts": ["7"]}), r"tells nothing of kernels/part-00000\.parquet"),
    "no mark": (json.dumps({"parts": ["7"], "files": {"kernels/part-00000.parquet": 7}}), "tells nothing of"),
}


@pytest.mark.parametrize("text", MANIFESTS)
def test_a_damaged_manifest_is_an_error(tmp_path: Path, text: str) -> None:
    folder = dataset(tmp_path / "data", [launch("k", 1)])
    content, said = MANIFESTS[text]
    (folder / "manifest.json").write_text(content)
    with pytest.raises(UnreadableReport, match=rf"manifest\.json is damaged: it {said}"):
        ask_sql(folder, "SELECT 1")


def test_without_a_manifest_nobody_knows_whether_parts_are_missing(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "data", [launch("k", 1)])
    (folder / "manifest.json").unlink()
    with pytest.raises(UnreadableReport, match=r"data has no manifest\.json, which a batch writes last"):
        ask_sql(folder, "SELECT 1")

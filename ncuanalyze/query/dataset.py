"""Opens a dataset for questions: its Parquet files as one table, ``kernels``, and nothing else within reach.

The database is in memory and may not touch files, the network or its own settings, so a question can read the
dataset and do nothing beside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ncuanalyze.batch.columns import SCHEMA
from ncuanalyze.errors import InvalidInput, MissingDependency, UnreadableReport

TABLE = "kernels"
# A folder for what does not fit into memory would stay open to COPY and read_csv, so there is none.
_LOCKED = (
    "SET temp_directory=''",
    "SET enable_external_access=false",
    "SET TimeZone='UTC'",
    "SET lock_configuration=true",
)


@contextmanager
def opened(dataset: Path) -> Iterator[Any]:
    """A DuckDB connection in which ``kernels`` is the dataset. Raises InvalidInput, UnreadableReport, or
    MissingDependency."""
    files = sorted((dataset / "kernels").glob("part-*.parquet"))
    if not files:
        raise InvalidInput(f"{dataset} holds no dataset", hint=f"Make one: ncuanalyze batch REPORTS -o {dataset}")
    table = _table(files)
    connection = _duckdb().connect(":memory:")
    try:
        connection.register(TABLE, table)
        for statement in _LOCKED:
            connection.execute(statement)
        yield connection
    finally:
        connection.close()


def _table(files: list[Path]) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import dataset as arrow
    except ImportError as error:
        raise _missing("pyarrow") from error
    try:
        table = arrow.dataset([str(file) for file in files], format="parquet")
        schema = (table.schema.metadata or {}).get(b"schema", b"").decode()
    except (pa.ArrowException, OSError) as error:
        raise UnreadableReport(
            f"the dataset is damaged: {error}", hint="Make it again with ncuanalyze batch."
        ) from error
    if schema != SCHEMA:
        raise InvalidInput(
            f"the dataset has the schema {schema or 'of something else'}, not {SCHEMA}",
            hint="Make it again with this version of ncuanalyze batch.",
        )
    return table


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise _missing("duckdb") from error
    return duckdb


def _missing(library: str) -> MissingDependency:
    return MissingDependency(
        f"queries need the {library} library", hint="Install it with: pip install 'ncuanalyze[query]'"
    )

"""Opens a dataset for questions: its Parquet files as one table, ``kernels``, and nothing else within reach.

The database is in memory and may not touch files, the network or its own settings, so a question can read the
dataset and do nothing beside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ncuanalyze.errors import InvalidInput, MissingDependency
from ncuanalyze.query.part_checks import first_damaged
from ncuanalyze.query.part_files import part_files

TABLE = "kernels"
# A folder for what does not fit into memory would stay open to COPY and read_csv, so there is none.
_LOCKED = (
    "SET temp_directory=''",
    "SET enable_external_access=false",
    "SET TimeZone='UTC'",
    "SET lock_configuration=true",
)


@contextmanager
def opened(folder: Path) -> Iterator[Any]:
    """A DuckDB connection in which ``kernels`` is the dataset, or every dataset right below ``folder``.

    Errors of DuckDB become InvalidInput, or UnreadableReport where a part is damaged. Raises MissingDependency too.
    """
    duckdb, arrow = libraries()
    files = part_files(folder)
    connection = duckdb.connect(":memory:")
    try:
        connection.register(TABLE, arrow.dataset([str(file) for file in files], format="parquet"))
        for statement in _LOCKED:
            connection.execute(statement)
        yield connection
    except duckdb.Error as error:
        if _may_be_damage(duckdb, error) and (damage := first_damaged(files)) is not None:
            raise damage from error
        raise InvalidInput(f"the query failed: {_reason(error)}", hint=_hint(duckdb, error)) from error
    finally:
        connection.close()


def _reason(error: Exception) -> str:
    """The line of the message that names the cause; a failure while rows are fetched has one below the first."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    causes = [line.removeprefix("Error: ") for line in lines if line.startswith("Error: ")]
    return (causes or lines)[0]


def _may_be_damage(duckdb: Any, error: Exception) -> bool:
    return isinstance(error, duckdb.IOException | duckdb.InvalidInputException)


def _hint(duckdb: Any, error: Exception) -> str:
    if isinstance(error, duckdb.OutOfMemoryException):
        return "Ask for fewer rows or columns; nothing is put on disk. DuckDB itself can query the Parquet files."
    return "The table is called kernels; its columns are in docs/batch.md."


def libraries() -> tuple[Any, Any]:
    """DuckDB and Arrow's datasets. Raises MissingDependency."""
    try:
        import duckdb
    except ImportError as error:
        raise _missing("duckdb") from error
    try:
        from pyarrow import dataset as arrow
    except ImportError as error:
        raise _missing("pyarrow") from error
    return duckdb, arrow


def _missing(library: str) -> MissingDependency:
    return MissingDependency(
        f"queries need the {library} library", hint="Install it with: pip install 'ncuanalyze[query]'"
    )

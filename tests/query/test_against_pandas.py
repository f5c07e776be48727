"""Every named question, over thousands of odd rows, against the same computed by pandas from its definition."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from ncuanalyze.query import Choices, ask, questions
from query.datasets import dataset, odd_rows

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pd = pytest.importorskip("pandas")

ROWS, SEED, ALL = 6_000, 20_260_301, 100_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("odd"), odd_rows(ROWS, SEED), parts=3)


@pytest.fixture(scope="module")
def rows(folder: Path) -> Any:
    table = pd.read_parquet(folder / "kernels")
    for name in ("gpu", "bound", "cause", "cause_title", "demangled"):
        table[name] = table[name].astype(object).where(table[name].notna(), None)
    return table


def asked(folder: Path, name: str, **choices: Any) -> list[dict[str, Any]]:
    answer = ask(folder, questions()[name], Choices(top=choices.pop("top", ALL), **choices))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def groups(rows: Any, *names: str) -> dict[tuple[Any, ...], Any]:
    return {
        tuple(None if pd.isna(key) else key for key in keys): part
        for keys, part in rows.groupby(list(names), dropna=False)
    }


def of_the_greatest(part: Any, value: str, by: str) -> Any:
    """The value of the row with the greatest ``by``, of several the last in the alphabet."""
    known = part[part[value].notna() & part[by].notna()]
    return max(zip(known[by], known[value], strict=True), default=(0, None))[1]


def total(numbers: Any) -> float | None:
    return round(numbers.sum(), 3) if numbers.notna().any() else None


def test_slowest(folder: Path, rows: Any) -> None:
    wanted = {
        key: {
            "launches": len(part),
            "median_ns": part.duration_ns.median(),
            "longest_ns": part.duration_ns.max(),
            "total_ns": total(part.duration_ns),
            "bound": of_the_greatest(part, "bound", "duration_ns"),
            "pays_most": of_the_greatest(part, "cause_title", "duration_ns") or "",
        }
        for key, part in groups(rows[rows.duration_ns.notna()], "gpu", "demangled").items()
    }
    found = asked(folder, "slowest")
    assert {(row.pop("gpu"), row.pop("kernel")): row for row in map(dict, found)} == wanted
    order = [(row["gpu"] is None, row["gpu"] or "", -row["median_ns"], row["kernel"]) for row in found]
    assert order == sorted(order)
    first = {gpu: [row for row in found if row["gpu"] == gpu][:2] for gpu in {row["gpu"] for row in found}}
    assert asked(folder, "slowest", top=2) == [row for row in found if row in first[row["gpu"]]]


def test_headroom(folder: Path, rows: Any) -> None:
    wanted = {}
    for key, part in groups(rows[rows.duration_ns.notna()], "gpu", "demangled").items():
        known = part[part.saved_ns.notna()]
        of_known = known.duration_ns.sum()
        wanted[key] = {
            "launches": len(part),
            "total_ns": total(part.duration_ns),
            "saved_ns": total(part.saved_ns),
            "headroom_pct": pytest.approx(100 * known.saved_ns.sum() / of_known) if of_known else None,
            "bound": of_the_greatest(part, "bound", "duration_ns"),
            "pays_most": of_the_greatest(part, "cause_title", "saved_ns") or "",
        }
    found = asked(folder, "headroom")
    assert {(row.pop("gpu"), row.pop("kernel")): row for row in map(dict, found)} == wanted
    saved = [-math.inf if row["saved_ns"] is None else row["saved_ns"] for row in found]
    assert saved == sorted(saved, reverse=True)


def test_causes(folder: Path, rows: Any) -> None:
    names = rows.demangled.str.replace(r"^(void|auto) +", "", regex=True)
    rows = rows.assign(team=names.str.extract(r"^([A-Za-z0-9]+)")[0].fillna("(other)"))
    sizes = rows.groupby("team").size()
    wanted = {
        (team, cause): {
            "cause_title": part.cause_title.max(),
            "launches": len(part),
            "share_pct": pytest.approx(100 * len(part) / sizes[team]),
            "saved_ns": total(part.saved_ns),
        }
        for (team, cause), part in groups(rows[rows.cause.notna()], "team", "cause").items()
    }
    found = asked(folder, "causes")
    assert {(row.pop("team"), row.pop("cause")): row for row in map(dict, found)} == wanted
    order = [(-sizes[row["team"]], row["team"], -row["launches"]) for row in found]
    assert order == sorted(order)

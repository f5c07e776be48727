"""Every named question, over thousands of odd rows, against the same computed by pandas from its definition."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ncuanalyze.query import Choices, ask, questions
from query.datasets import FIRST_DAY, dataset, odd_rows

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pd = pytest.importorskip("pandas")

ROWS, SEED, ALL = 6_000, 20_260_301, 100_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("odd"), odd_rows(ROWS, SEED), parts=3)


@pytest.fixture(scope="module")
def rows(folder: Path) -> Any:
    return table(folder)


def table(folder: Path) -> Any:
    rows = pd.read_parquet(folder / "kernels")
    for name in ("gpu", "bound", "cause", "cause_title", "demangled"):
        rows[name] = rows[name].astype(object).where(rows[name].notna(), None)
    return rows


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
    words = names.str.extract(r"^([A-Za-z0-9]+)")[0]
    functions = rows.groupby(words).kernel.nunique()
    rows = rows.assign(team=words.where(words.map(functions) > 1, "(other)"))
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


@pytest.mark.parametrize("count", [ROWS, 600])
def test_moved(tmp_path: Path, count: int) -> None:
    folder = dataset(tmp_path / "data", odd_rows(count, SEED))
    rows = table(folder)
    since = FIRST_DAY + timedelta(days=30)
    shape = rows.grid_x.map(lambda blocks: "" if pd.isna(blocks) else f"{blocks:.0f}")
    known = rows.assign(grid=shape)[(rows.duration_ns > 0) & rows.profiled_at.notna()]
    wanted = {}
    for key, part in groups(known, "gpu", "demangled", "grid").items():
        before, new = part[part.profiled_at < since], part[part.profiled_at >= since]
        old_ns, new_ns = before.duration_ns.median(), new.duration_ns.median()
        if not len(before) or not len(new) or old_ns == new_ns:
            continue
        noise = noise_of(before.duration_ns, new.duration_ns)
        noise_pct = None if noise is None else 100 * abs(math.exp(math.copysign(min(noise, 20), new_ns - old_ns)) - 1)
        if abs(change := 100 * (new_ns / old_ns - 1)) >= (noise_pct or 0):
            wanted[key] = {
                "launches_before": len(before),
                "launches_since": len(new),
                "before_ns": old_ns,
                "since_ns": new_ns,
                "change_pct": pytest.approx(change),
                "noise_pct": pytest.approx(noise_pct) if noise_pct is not None else None,
                "sure": noise_pct is not None,
                "bound_before": of_the_greatest(before, "bound", "profiled_at"),
                "bound_since": of_the_greatest(new, "bound", "profiled_at"),
            }
    found = asked(folder, "moved", since=since, threshold_pct=0.0)
    assert len(found) > 5
    left_out = {"gpu", "kernel", "grid", "block", "cycles_change_pct"}
    kept = {
        (row["gpu"], row["kernel"], row["grid"]): {name: row[name] for name in row if name not in left_out}
        for row in found
    }
    assert kept == wanted


def noise_of(before: Any, since: Any) -> float | None:
    """Of the logarithm of a change, from the formula in questions.toml."""
    sides = [side.map(math.log) for side in (before, since)]
    freedom = len(before) + len(since) - 2
    if freedom == 0:
        return None
    square = sum(squared(side, freedom) for side in sides) / freedom
    steps = freedom if freedom < 20 else int(0.37 * freedom)
    share = sum((math.pi / 2 if len(side) > 2 else 1) / len(side) for side in sides)
    return factor(steps) * math.sqrt(square * share)


def squared(side: Any, freedom: int) -> float:
    if freedom < 20:
        return float(((side - side.mean()) ** 2).sum())
    deviation = 1.4826 * (side - side.median()).abs().median() * len(side) / (len(side) - 0.8)
    return float((len(side) - 1) * deviation**2)


def factor(steps: int) -> float:
    quantiles = [235.784, 19.206, 9.219, 6.620, 5.507, 4.904, 4.530, 4.277, 4.094, 3.957]
    return quantiles[steps - 1] if steps <= 10 else 3 + 7.5 / steps + 17.25 / steps**2 + 30.2 / steps**3

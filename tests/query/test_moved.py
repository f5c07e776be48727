"""How often ``moved`` lists kernels that did not move, and how few launches it believes."""

from __future__ import annotations

import math
import random
import re
import statistics
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ncuanalyze.query import Choices, ask, questions
from query.datasets import FIRST_DAY, dataset, launch, marked

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

SINCE = FIRST_DAY + timedelta(days=30)
DAYS = {False: FIRST_DAY, True: SINCE}
NOISE = 0.05


def moved(folder: Path, **choices: Any) -> list[dict[str, Any]]:
    answer = ask(folder, questions()["moved"], Choices(since=SINCE, **choices))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def launches(kernel: str, before: list[float], since: list[float]) -> list[dict[str, Any]]:
    sides = ((False, before), (True, since))
    return [launch(kernel, ns, profiled_at=DAYS[is_new]) for is_new, times in sides for ns in times]


def noisy(folder: Path, kernels: int, before: int, since: int, factor: float = 1.0) -> Path:
    """Kernels with 5 % of noise, ``factor`` slower since."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ncuanalyze.batch.columns import arrow_schema

    draw = random.Random(f"{before}/{since}")
    each = [(False, 1.0)] * before + [(True, factor)] * since
    rows = [(f"k{kernel}", *side) for kernel in range(kernels) for side in each]
    known = {
        "demangled": [kernel for kernel, _, _ in rows],
        "profiled_at": [DAYS[is_new] for _, is_new, _ in rows],
        "duration_ns": [1000 * slower * math.exp(draw.gauss(0, NOISE)) for _, _, slower in rows],
    }
    schema = arrow_schema()
    columns = [
        pa.array(known[item.name], item.type) if item.name in known else pa.nulls(len(rows), item.type)
        for item in schema
    ]
    (folder / "kernels").mkdir(parents=True)
    pq.write_table(pa.table(columns, schema=schema), folder / "kernels" / "part-00000.parquet")
    return marked(folder)


@pytest.mark.parametrize(("before", "since"), [(2, 1), (2, 2), (3, 3), (5, 5), (20, 1), (20, 20)])
def test_of_a_thousand_kernels_that_did_not_move_three_are_listed_at_most(
    tmp_path: Path, before: int, since: int
) -> None:
    kernels = 4_000  # 0.3 % are 12, with a standard deviation of 3.5
    folder = noisy(tmp_path / "data", kernels, before, since)
    assert len(moved(folder, threshold_pct=0.0, top=kernels)) <= 12 + 3 * 3.5


@pytest.mark.parametrize(("before", "since", "factor"), [(3, 3, 2.0), (5, 5, 1.3), (20, 1, 1.4), (20, 20, 1.12)])
def test_kernels_that_moved_well_beyond_the_noise_are_listed(
    tmp_path: Path, before: int, since: int, factor: float
) -> None:
    found = moved(noisy(tmp_path / "data", 400, before, since, factor), top=400)
    assert len(found) > 0.85 * 400
    assert all(row["sure"] for row in found)


def test_one_launch_a_side_says_nothing_of_the_noise(tmp_path: Path) -> None:
    rows = launches("lone", [100], [900]) + launches("known", [100, 101], [150, 152]) + launches("same", [5], [5])
    found = moved(dataset(tmp_path / "data", rows), threshold_pct=0.0)
    assert [(row["kernel"], row["sure"], row["noise_pct"] is None) for row in found] == [
        ("known", True, False),
        ("lone", False, True),
    ]


def test_the_other_side_tells_the_noise_of_a_lone_launch(tmp_path: Path) -> None:
    rows = launches("calm", [100, 101, 99, 100], [130]) + launches("wild", [100, 180, 60, 120], [130])
    assert [row["kernel"] for row in moved(dataset(tmp_path / "data", rows))] == ["calm"]


def test_an_outlier_among_many_launches_hides_nothing(tmp_path: Path) -> None:
    rows = launches("k", [100.0 + n % 3 for n in range(20)] + [5000], [120.0 + n % 3 for n in range(20)])
    (row,) = moved(dataset(tmp_path / "data", rows))
    assert row["change_pct"] == pytest.approx(100 * (121 / 101 - 1))
    assert row["noise_pct"] < 5


def test_a_kernel_is_listed_only_where_its_change_is_beyond_the_noise_beside_it(tmp_path: Path) -> None:
    draw = random.Random(7)
    rows: list[dict[str, Any]] = []
    for kernel in range(300):
        before, since = ([draw.lognormvariate(5, 0.3) for _ in range(draw.randrange(1, 5))] for _ in "ab")
        rows += launches(f"k{kernel}", before, [10 * ns for ns in since])
    for row in moved(dataset(tmp_path / "data", rows), top=300):
        assert not row["sure"] or abs(row["change_pct"]) >= row["noise_pct"]


def test_durations_of_any_size(tmp_path: Path) -> None:
    rows = launches("k", [1e-300, 1e300], [1e300, 1e-300, 1e308]) + launches("zero", [0, 0], [1, 1])
    assert moved(dataset(tmp_path / "data", rows), threshold_pct=0.0) == []


def test_the_factors_are_students(tmp_path: Path) -> None:
    sql = questions()["moved"].sql
    table = re.search(r"\[([\d., ]+)\]\[steps\]", sql)
    assert table is not None
    for freedom, factor in enumerate(map(float, table[1].split(",")), 1):
        assert two_sided(factor, freedom) == pytest.approx(0.0027, rel=0.01)
    for freedom in (11, 20, 100):
        series = 3 + 7.5 / freedom + 17.25 / freedom**2 + 30.2 / freedom**3
        assert two_sided(series, freedom) == pytest.approx(0.0027, rel=0.01)
    assert 2 * statistics.NormalDist().cdf(-3) == pytest.approx(0.0027, rel=0.001)


def two_sided(t: float, freedom: int, steps: int = 4_000) -> float:
    """The probability of a Student's t beyond ``t`` either way: its density over the angle atan(t / sqrt(freedom))."""
    begin = math.atan(t / math.sqrt(freedom))
    width = (math.pi / 2 - begin) / steps
    area = width * sum(math.cos(begin + width * (step + 0.5)) ** (freedom - 1) for step in range(steps))
    gamma = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    return 2 * gamma / math.sqrt(math.pi) * area

"""The table of units: every number has its source, and every unit a name that readers know."""

import pytest

from ncuanalyze.analysis.unit_table import UnitCounter, counter_without_unit, unit_counters
from ncuanalyze.story import UNIT_NAMES


@pytest.mark.parametrize("counter", unit_counters(), ids=lambda counter: counter.name)
def test_a_counter_has_a_side_a_known_unit_and_a_source(counter: UnitCounter) -> None:
    assert counter.side in ("sm", "memory", "own")
    assert counter.unit in UNIT_NAMES
    assert 50 <= counter.sustained_pct <= 100
    assert counter.source
    assert not counter.name.endswith("elapsed")


def test_names_are_not_repeated() -> None:
    names = [counter.name for counter in unit_counters()]
    assert len(names) == len(set(names))


def test_a_measured_ceiling_says_on_which_gpu() -> None:
    said = [counter.source for counter in unit_counters() if counter.measured]
    assert all(source.startswith(("H200", "RTX", "as ")) for source in said)
    others = {counter.source for counter in unit_counters() if not counter.measured}
    assert len(others) == 1 and "not measured" in others.pop()


def test_a_throughput_without_a_unit_takes_the_default() -> None:
    unknown = counter_without_unit("sm__throughput", "sm")
    assert (unknown.unit, unknown.side, unknown.measured) == ("", "sm", False)
    assert unknown.sustained_pct == next(c.sustained_pct for c in unit_counters() if not c.measured)

"""Records are frozen, keyword-only dataclasses without generated methods."""

from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace

import pytest

from ncuanalyze.record import record


@record
class Point:
    x: float
    y: float = 2.0
    tags: dict[str, str] = field(default_factory=dict)


def test_is_a_dataclass_with_defaults() -> None:
    point = Point(x=1.0)
    assert is_dataclass(point)
    assert [item.name for item in fields(point)] == ["x", "y", "tags"]
    assert (point.x, point.y, point.tags) == (1.0, 2.0, {})


def test_factories_make_a_value_each() -> None:
    assert Point(x=1.0).tags is not Point(x=1.0).tags


def test_compares_by_value_and_type() -> None:
    assert Point(x=1.0) == Point(x=1.0, y=2.0)
    assert Point(x=1.0) != Point(x=1.5)
    assert Point(x=1.0) != (1.0, 2.0, {})


def test_replaces() -> None:
    assert replace(Point(x=1.0), y=3.0) == Point(x=1.0, y=3.0)


def test_shows_its_fields() -> None:
    assert repr(Point(x=1.0)) == "Point(x=1.0, y=2.0, tags={})"


def test_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError, match="'x'"):
        Point(x=1.0).x = 2.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="'x'"):
        del Point(x=1.0).x


@pytest.mark.parametrize(
    ("values", "message"),
    [({}, "Point: missing x"), ({"x": 1.0, "z": 2.0}, "Point: unknown z"), ({"z": 2.0}, "Point: unknown z; missing x")],
)
def test_says_which_field_is_wrong(values: dict[str, float], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Point(**values)  # type: ignore[arg-type]

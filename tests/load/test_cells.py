"""The metrics of a launch of an export: what it lacks costs nothing, since it is asked for hundreds of names."""

import pytest

from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.table import Record

COLUMNS = {"gpu__time_duration.sum": 0, "launch__grid_size": 1, "dram__bytes.sum": 2}


class Asked(dict[str, str]):
    """Cells that remember what they were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[object] = []

    def get(self, name: object, default: object = None) -> None:  # type: ignore[override]
        self.names.append(name)


def test_a_name_that_no_launch_has_is_not_looked_for():
    cells = Asked()
    metrics = CellMetrics(cells, {}, columns=COLUMNS)
    assert metrics.raw("sm__inst_executed.sum") is metrics.raw("dram__bytes.sum") is None
    assert cells.names == ["dram__bytes.sum"]


@pytest.mark.parametrize(
    ("row", "names"),
    [
        (["15", "2", "7"], ["gpu__time_duration.sum", "launch__grid_size", "dram__bytes.sum"]),
        (["15", "2"], ["gpu__time_duration.sum", "launch__grid_size"]),
        ([], []),
    ],
)
def test_a_row_that_ends_early_lacks_its_last_columns(row: list[str], names: list[str]):
    record = Record(COLUMNS, row)
    metrics = CellMetrics(record, {}, columns=COLUMNS)
    assert len(record) == len(names)
    assert list(metrics.names()) == names
    assert [name for name in COLUMNS if metrics.raw(name) is not None] == names


def test_a_label_leads_to_its_metric():
    metrics = CellMetrics({"dram__bytes.sum": "7"}, {}, labels={"Bytes": "dram__bytes.sum"})
    assert metrics.raw("Bytes") == metrics.raw("dram__bytes.sum") == 7.0

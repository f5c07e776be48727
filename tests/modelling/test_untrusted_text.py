"""Whatever a user types, the model answers or says what is wrong with it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.estimate import estimate
from ncuanalyze.modelling.operators import OPERATORS
from ncuanalyze.modelling.parameters import duration_ns, parse_pairs
from ncuanalyze.modelling.sweep import parse_sweep
from ncuanalyze.modelling.triton_tile import parse_tile
from ncuanalyze.modelling.workload import parse_workload
from ncuanalyze.specs import spec_for_name

TEXT = st.one_of(st.text(max_size=12), st.sampled_from(["4096", "0", "-1", "1e9", "2^26", "64k", "nan", "8x8", "bf16"]))


@given(st.sampled_from(OPERATORS), st.data())
def test_operators(operator: object, data: st.DataObject) -> None:
    names = [item.name for item in operator.parameters]  # type: ignore[attr-defined]
    values = {name: data.draw(TEXT) for name in names}
    try:
        found = estimate(operator, values, "h100")  # type: ignore[arg-type]
    except InvalidInput as error:
        assert error.hint
    else:
        assert found.floor_ns >= 0


@given(st.sampled_from([parse_pairs, parse_sweep, parse_tile, parse_workload, duration_ns, spec_for_name]), st.text())
def test_parsers(parse: object, text: str) -> None:
    try:
        parse(text)  # type: ignore[operator]
    except InvalidInput as error:
        assert error.hint

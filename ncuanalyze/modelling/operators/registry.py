"""All operators, and finding one by the name a user types."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators.attention import ATTENTION
from ncuanalyze.modelling.operators.convolution import CONVOLUTION
from ncuanalyze.modelling.operators.custom import CUSTOM
from ncuanalyze.modelling.operators.matmul import MATMUL
from ncuanalyze.modelling.operators.normalisation import NORMALISATION
from ncuanalyze.modelling.operators.operator import Operator
from ncuanalyze.modelling.operators.pointwise import POINTWISE
from ncuanalyze.modelling.work import Work

OPERATORS: tuple[Operator, ...] = (
    *POINTWISE,
    *NORMALISATION,
    *MATMUL,
    *ATTENTION,
    *CONVOLUTION,
    *CUSTOM,
)


def find_operator(name: str) -> Operator:
    """The operator of a name or an alias. Raises ``InvalidInput`` with the nearest names."""
    wanted = name.lower().replace("-", "_")
    by_name = {alias: item for item in OPERATORS for alias in (item.name, *item.aliases)}
    if wanted in by_name:
        return by_name[wanted]
    near = [by_name[match].name for match in get_close_matches(wanted, by_name, n=3)]
    known = ", ".join(dict.fromkeys(near)) or ", ".join(item.name for item in OPERATORS)
    raise InvalidInput(f"no operator is called {name!r}", hint=f"known: {known}")


def work_of(operator: str | Operator, parameters: Mapping[str, object]) -> Work:
    """FLOP and compulsory bytes of an operator, such as ``work_of("gemm", {"m": 64, "n": 64, "k": 64})``.

    Raises ``InvalidInput`` for an unknown operator, parameter or value.
    """
    found = find_operator(operator) if isinstance(operator, str) else operator
    return found.count(found.values(parameters))

"""``--workload``: which operator a kernel is, and its algorithmic beside its hardware utilisation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ncuanalyze import toml_text
from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators import Operator, find_operator
from ncuanalyze.modelling.parameters import parse_pairs
from ncuanalyze.modelling.work import Work
from ncuanalyze.pattern import glob

EXAMPLE = '--workload "matmul_kernel=gemm m=4096 n=4096 k=4096 dtype=bf16"'


@dataclass(frozen=True, kw_only=True)
class Workload:
    """A kernel named as an operator. ``pattern`` is a kernel or NVTX range name; ``*`` and ``?`` are wild."""

    pattern: str
    operator: Operator
    parameters: dict[str, str]
    work: Work

    @property
    def text(self) -> str:
        """The operator as the user wrote it."""
        pairs = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.operator.name} {pairs}"

    def matches(self, *names: str) -> bool:
        """True where the pattern is one of the names (kernel, demangled, NVTX ranges)."""
        return any(name == self.pattern or glob(self.pattern).finds(name) for name in names if name)


def parse_workload(text: str) -> Workload:
    """One workload: ``matmul_kernel=gemm m=4096 n=4096 k=4096 dtype=bf16``. Raises ``InvalidInput``."""
    head, _, rest = text.strip().partition(" ")
    pattern, sign, operator = head.partition("=")
    if not sign or not pattern or not operator:
        raise InvalidInput(f"{text!r} names no kernel and operator", hint=EXAMPLE)
    return _workload(pattern, operator, parse_pairs(rest))


def load_workloads(texts: Iterable[str]) -> tuple[Workload, ...]:
    """The workloads of the command line: each text is a workload or the path of a TOML file of several.

    A file has one table a kernel: ``[[workload]]`` with ``kernel``, ``operator`` and the operator's sizes.
    """
    found: list[Workload] = []
    for text in texts:
        found += read_workloads(Path(text)) if text.endswith(".toml") else [parse_workload(text)]
    return tuple(found)


def read_workloads(path: Path) -> list[Workload]:
    """The workloads of a TOML file. Raises ``InvalidInput``."""
    try:
        data = toml_text.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}", hint="check the path") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not TOML: {error}", hint="see docs/modelling.md") from error
    tables = data.get("workload")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables) or not tables:
        raise InvalidInput(f"{path} has no [[workload]] table", hint="one a kernel: kernel, operator, sizes")
    return [_from_table(path, table) for table in tables]


def _from_table(path: Path, table: Mapping[str, object]) -> Workload:
    values = {name: _as_text(value) for name, value in table.items()}
    kernel, operator = values.pop("kernel", ""), values.pop("operator", "")
    if not kernel or not operator:
        raise InvalidInput(f"a [[workload]] of {path} lacks kernel or operator", hint=EXAMPLE)
    return _workload(kernel, operator, values)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _workload(pattern: str, operator: str, parameters: dict[str, str]) -> Workload:
    found = find_operator(operator)
    work = found.count(found.values(parameters))
    return Workload(pattern=pattern, operator=found, parameters=parameters, work=work)

"""What one result of a ``.ncu-rep`` holds, read from ``ncu_report``'s objects when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sys import intern
from types import ModuleType
from typing import Any, TypeVar

from ncuanalyze.load.bounded import MOST_RANGES, bounded
from ncuanalyze.load.old_names import old_names
from ncuanalyze.profile import StoredResult, Value, Workload
from ncuanalyze.units import Unit, unit_of_metric

T = TypeVar("T")

_KINDS = {
    "MsgType_OK": "ok",
    "MsgType_OPTIMIZATION": "optimization",
    "MsgType_WARNING": "warning",
    "MsgType_ERR": "error",
    "MsgType_ERROR": "error",
}
_ONE_PASS = ("smsp__pcsamp_", "inst_executed", "thread_inst_executed")
_SCOPES = {"SpeedupType_LOCAL": "local", "SpeedupType_GLOBAL": "global"}
_WORKLOADS = {
    "WorkloadType_KERNEL": Workload.KERNEL,
    "WorkloadType_RANGE": Workload.RANGE,
    "WorkloadType_GRAPH": Workload.GRAPH,
    "WorkloadType_CMDLIST": Workload.CMDLIST,
    "WorkloadType_SUBGRID_SCHEDULE": Workload.SUBGRID,
}


class Members:
    """The enum members of the module at hand, by number: the numbers differ between its versions."""

    def __init__(self, module: ModuleType) -> None:
        self.kinds = _by_number(module, _KINDS)
        self.scopes = _by_number(module, _SCOPES)
        self.workloads = _by_number(module.IAction, _WORKLOADS)


def _by_number(holder: object, words: Mapping[str, T]) -> Mapping[Any, T]:
    return {getattr(holder, name): word for name, word in words.items() if hasattr(holder, name)}


class ActionMetrics:
    """The metrics of one action: a value is read once, and only when it is asked for.

    ``units``: those of the report, by metric. Its actions share them: asking the module for a unit takes longer than
    everything else about a metric, and a metric has one unit (in 508,582 metrics of 62 reports, without exception).
    """

    def __init__(self, action: Any, units: dict[str, Unit]) -> None:
        self._action = action
        self._units = units
        self._read_metrics: dict[str, tuple[Value | None, str]] = {}
        self._names: Sequence[str] | None = None
        self._old_names: Mapping[str, str] | None = None
        self._pass_ids: dict[tuple[Any, ...], Sequence[int | float | str | None]] = {}

    def names(self) -> Sequence[str]:
        """Every metric of the action, with a value or without."""
        if self._names is None:
            self._names = tuple(map(clean, self._action.metric_names()))
        return self._names

    def raw(self, name: str) -> Value | None:
        """The value in its base unit."""
        return self._read(name)[0]

    def unit(self, name: str) -> str:
        """The base unit."""
        return self._read(name)[1]

    def instances(self, name: str) -> Sequence[tuple[int | float | str | None, float | str | None]]:
        """(correlation id, value) pairs."""
        metric = self._find(name)
        if metric is None or not metric.num_instances():
            return ()
        places = range(metric.num_instances())
        factor = self._unit(metric, name).factor
        read = _reader(metric, metric.kind(0))
        plain = factor == 1 and read != metric.value
        values = map(float, map(read, places)) if plain else (_scaled(read(at), factor) for at in places)
        return tuple(zip(self._ids(name, metric), values, strict=True))

    def _ids(self, name: str, metric: Any) -> Sequence[int | float | str | None]:
        """The correlation ids. The counters of one pass over the code list the same addresses: read once."""
        count: int = metric.num_instances()
        if not metric.has_correlation_ids():
            return (None,) * count
        ids = metric.correlation_ids()
        read: Callable[[int], int | float | str | None] = _reader(ids, ids.kind(0))
        if not name.startswith(_ONE_PASS):
            return tuple(map(read, range(count)))
        key = (count, read(0), read(count - 1))
        known = self._pass_ids.get(key)
        if known is None:
            known = tuple(map(read, range(count)))
            self._pass_ids[key] = known
        return known

    def _read(self, name: str) -> tuple[Value | None, str]:
        known = self._read_metrics.get(name)
        if known is None:
            known = self._read_metrics[intern(name)] = self._value_and_unit(name)
        return known

    def _value_and_unit(self, name: str) -> tuple[Value | None, str]:
        metric = self._action.metric_by_name(name)
        if metric is not None:
            return self._value_of(metric, name)
        old = self._old_name(name)
        return (None, "") if old is None else self._value_of(self._action.metric_by_name(old), old)

    def _value_of(self, metric: Any, name: str) -> tuple[Value | None, str]:
        if metric is None:
            return None, ""
        unit = self._unit(metric, name)
        value = _scaled(_reader(metric, metric.kind())(), unit.factor) if metric.has_value() else None
        return (None if value == "" else value), unit.base

    def _unit(self, metric: Any, name: str) -> Unit:
        """``name`` is the metric's own: asking the metric for it would cost as much as asking for its value."""
        known = self._units.get(name)
        if known is None:
            known = self._units[name] = unit_of_metric(name, metric.unit())
        return known

    def _find(self, name: str) -> Any:
        metric = self._action.metric_by_name(name)
        if metric is not None:
            return metric
        old = self._old_name(name)
        return None if old is None else self._action.metric_by_name(old)

    def _old_name(self, name: str) -> str | None:
        if self._old_names is None:
            self._old_names = old_names(lambda mark: self._action.metric_by_name(mark) is not None)
        return self._old_names.get(name)


def _reader(metric: Any, kind: int) -> Callable[..., Any]:
    """What reads values of a kind; ``value`` looks it up at every call, and takes three times as long."""
    if kind in (metric.ValueKind_UINT32, metric.ValueKind_UINT64):
        return metric.as_uint64  # type: ignore[no-any-return]
    if kind in (metric.ValueKind_FLOAT, metric.ValueKind_DOUBLE):
        return metric.as_double  # type: ignore[no-any-return]
    return metric.value  # type: ignore[no-any-return]


def _scaled(value: Any, factor: float) -> float | str | None:
    if isinstance(value, int | float):
        return float(value) * factor
    return value if value is None else name_of(str(value))


def name_of(text: str) -> str:
    """A name or a message: clean, and as long as anybody reads."""
    return bounded(clean(text))


def clean(text: str) -> str:
    """The text without lone surrogates, which a damaged report can hold and no encoder accepts."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class ActionSource:
    """Source correlation of one action. ``file`` stands for the report on disk, which must not go away."""

    def __init__(self, action: Any, file: object = None) -> None:
        self._action = action
        self._file = file
        self._lines: dict[int, tuple[str, int] | None] = {}

    def files(self) -> Mapping[str, str]:
        """File name -> embedded text, or an empty text."""
        return {name_of(name): clean(text) for name, text in self._action.source_files().items()}

    def line(self, address: int) -> tuple[str, int] | None:
        """(file name, line) of a SASS address, looked up once."""
        if address not in self._lines:
            info = self._action.source_info(address)
            self._lines[address] = None if info is None else (name_of(info.file_name()), info.line())
        return self._lines[address]

    def sass(self, address: int) -> str:
        """The SASS instruction at an address, or an empty text."""
        return name_of(self._action.sass_by_pc(address) or "")


def nvtx_ranges(action: Any) -> Sequence[str]:
    """Names of the push/pop ranges around a launch, outermost first, then of its start/end ranges."""
    state = action.nvtx_state()
    if state is None:
        return ()
    domains = [state.domain_by_id(id) for id in state.domains()]
    nested = [name for domain in domains for name in domain.push_pop_ranges()]
    names = (*nested, *(n for domain in domains for n in domain.start_end_ranges()))
    return [name_of(name) for name in names[:MOST_RANGES]]


def stored_results(action: Any, members: Members) -> Sequence[StoredResult]:
    """The results of the rules that ncu ran; entries that hold only a table are left out."""
    results = (_stored(entry, members) for entry in action.rule_results_as_dicts())
    return [result for result in results if result.text or result.title]


def _stored(entry: Mapping[str, Any], members: Members) -> StoredResult:
    message = entry.get("rule_message") or {}
    speedup = entry.get("speedup_estimation") or {}
    percent = speedup.get("speedup")
    return StoredResult(
        rule=name_of(entry.get("rule_identifier") or ""),
        section=name_of(entry.get("section_identifier") or ""),
        title=name_of(message.get("title") or ""),
        text=name_of(message.get("message") or ""),
        kind=members.kinds.get(message.get("type"), "none"),
        speedup_pct=None if percent is None else float(percent),
        speedup_scope=members.scopes.get(speedup.get("type"), ""),
    )

"""The ``.ncu-rep`` reader, through NVIDIA's ``ncu_report`` module. No other file imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from ncuanalyze.errors import MissingDependency, UnreadableReport
from ncuanalyze.profile import Device, Dim3, KernelLaunch, Profile, StoredResult, Value, Workload
from ncuanalyze.units import unit_of

T = TypeVar("T")
_WORKLOADS = {
    "WorkloadType_KERNEL": Workload.KERNEL,
    "WorkloadType_RANGE": Workload.RANGE,
    "WorkloadType_GRAPH": Workload.GRAPH,
    "WorkloadType_CMDLIST": Workload.CMDLIST,
    "WorkloadType_SUBGRID_SCHEDULE": Workload.SUBGRID,
}


class Deferred(Sequence[T]):
    """A sequence that is made when it is first looked at."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make
        self._made: Sequence[T] | None = None

    def _items(self) -> Sequence[T]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._items()[index]

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[T]:
        return iter(self._items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self._items()) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._items()))

    def __repr__(self) -> str:
        return repr(self._items())


class ActionMetrics:
    """The metrics of one action, read one by one when they are asked for."""

    def __init__(self, action: Any) -> None:
        self._action = action
        self._cache: dict[str, tuple[Value | None, str]] = {}
        self._names: Sequence[str] | None = None

    def names(self) -> Sequence[str]:
        """Every metric name of the action."""
        if self._names is None:
            self._names = tuple(self._action.metric_names())
        return self._names

    def _read(self, name: str) -> tuple[Value | None, str]:
        found = self._cache.get(name)
        if found is None:
            metric = self._action.metric_by_name(name)
            found = (None, "") if metric is None else _value_and_unit(metric)
            self._cache[name] = found
        return found

    def raw(self, name: str) -> Value | None:
        """The value in its base unit."""
        return self._read(name)[0]

    def unit(self, name: str) -> str:
        """The base unit."""
        return self._read(name)[1]

    def instances(self, name: str) -> Sequence[tuple[int | float | str | None, float | str | None]]:
        """(correlation id, value) pairs."""
        metric = self._action.metric_by_name(name)
        if metric is None or not metric.num_instances():
            return ()
        ids = metric.correlation_ids() if metric.has_correlation_ids() else None
        return tuple(
            (ids.value(i) if ids is not None else None, _plain(metric.value(i)))
            for i in range(metric.num_instances())
        )


def _plain(value: Any) -> float | str | None:
    return float(value) if isinstance(value, int | float) else value


def _value_and_unit(metric: Any) -> tuple[Value | None, str]:
    base, factor = unit_of(metric.unit())
    value = _plain(metric.value())
    return (value * factor if isinstance(value, float) else value), base


class ActionSource:
    """Source correlation of one action."""

    def __init__(self, action: Any) -> None:
        self._action = action

    def files(self) -> Mapping[str, str]:
        """File name -> embedded text, or an empty text."""
        return dict(self._action.source_files().items())

    def line(self, address: int) -> tuple[str, int] | None:
        """(file name, line) of a SASS address."""
        info = self._action.source_info(address)
        return None if info is None else (info.file_name(), info.line())

    def sass(self, address: int) -> str:
        """The SASS instruction at an address."""
        return self._action.sass_by_pc(address) or ""


def read_report(file: Path, path: str) -> Profile:
    """Read the report ``file``; ``path`` is the name it is known by."""
    try:
        import ncu_report
    except ImportError as error:
        raise MissingDependency(
            "reading .ncu-rep files needs NVIDIA's ncu_report module",
            hint="Install it with: pip install ncu-report, or export the report: "
            "ncu --import REPORT --csv --page raw > report.csv",
        ) from error
    context = ncu_report.load_report(str(file))
    workloads = {getattr(ncu_report.IAction, name, None): kind for name, kind in _WORKLOADS.items()}
    launches = []
    for r in range(context.num_ranges()):
        span = context.range_by_idx(r)
        for index in range(span.num_actions()):
            action = span.action_by_idx(index)
            if action.name() is not None:
                launches.append(_launch(str(len(launches)), action, workloads))
    if not launches:
        raise UnreadableReport(f"{path} holds no kernels", hint="The file is damaged or truncated.")
    return Profile(path=path, format="ncu-rep", launches=tuple(launches))


def _launch(id: str, action: Any, workloads: Mapping[Any, Workload]) -> KernelLaunch:
    metrics = ActionMetrics(action)
    return KernelLaunch(
        id=id,
        name=action.name(),
        demangled=action.name(action.NameBase_DEMANGLED) or action.name(),
        metrics=metrics,
        device=_device(metrics),
        grid=_dim3(metrics, "launch__grid_dim"),
        block=_dim3(metrics, "launch__block_dim"),
        nvtx=_nvtx(action),
        workload=workloads.get(action.workload_type(), Workload.KERNEL),
        sections=Deferred(lambda: [section.identifier() for section in action.sections()]),
        stored_results=Deferred(lambda: [_stored(entry) for entry in action.rule_results_as_dicts()]),
        source=ActionSource(action),
    )


def _dim3(metrics: ActionMetrics, stem: str) -> Dim3 | None:
    x, y, z = (metrics.raw(f"{stem}_{axis}") for axis in "xyz")
    if isinstance(x, float) and isinstance(y, float) and isinstance(z, float):
        return int(x), int(y), int(z)
    return None


def _device(metrics: ActionMetrics) -> Device:
    def number(name: str) -> int | None:
        value = metrics.raw(f"device__attribute_{name}")
        return int(value) if isinstance(value, float) else None

    major, minor = number("compute_capability_major"), number("compute_capability_minor")
    name = metrics.raw("device__attribute_display_name")
    return Device(
        name=name if isinstance(name, str) else None,
        compute_capability=(major, minor) if major is not None and minor is not None else None,
        sm_count=number("multiprocessor_count"),
        chip=None,
    )


def _nvtx(action: Any) -> tuple[str, ...]:
    state = action.nvtx_state()
    if state is None:
        return ()
    return tuple(name for id in state.domains() for name in state.domain_by_id(id).push_pop_ranges())


def _stored(entry: Mapping[str, Any]) -> StoredResult:
    message = entry.get("rule_message") or {}
    speedup = entry.get("speedup_estimation") or {}
    return StoredResult(
        rule=entry.get("rule_identifier", ""),
        section=entry.get("section_identifier", ""),
        title=message.get("title", ""),
        text=message.get("message", ""),
        kind=str(message.get("type", "")),
        speedup_pct=speedup.get("speedup"),
        speedup_scope=str(speedup.get("type", "")),
    )

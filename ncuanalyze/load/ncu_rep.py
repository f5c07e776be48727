"""The ``.ncu-rep`` reader, through NVIDIA's ``ncu_report`` module. No other file imports it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ncuanalyze.errors import MissingDependency, UnreadableReport
from ncuanalyze.load.action import ActionMetrics, ActionSource, Members, name_of, nvtx_ranges, stored_results
from ncuanalyze.load.blocks import Layout, layout_of
from ncuanalyze.load.container import Plain, temporary_folder
from ncuanalyze.load.deferred import Deferred
from ncuanalyze.load.device import device_of, whole
from ncuanalyze.load.identity import has_failed
from ncuanalyze.load.session import settings_of_command
from ncuanalyze.profile import Dim3, KernelLaunch, Profile, Workload
from ncuanalyze.units import Unit

_FORMAT = "ncu-rep"
_PACKED = ".ncu-repz"
_CHUNK = 1 << 20
_BOMB_HINT = "It asks for more memory than there is: a damaged file may; copy it again, or read it where there is more."
_DAMAGE_HINT = "Copy the file again in binary mode, or profile again."
_BROKEN = (OSError, RuntimeError, ValueError, MemoryError, SystemError)


def read_report(plain: Plain, path: str) -> Profile:
    """Read a report; ``path`` is the name it is known by.

    Metrics, rule results, sections and source are read from the module when they are asked for. ``settings``
    come from the session in the file: tool version, command line, clock, cache and replay options. The file
    does not hold the driver version.
    """
    layout = layout_of(plain.path)
    if layout.damaged and (layout.header_damaged or not layout.results):
        raise _unreadable(path, layout, layout.lost)
    launches, lost = _launches(_module(), _plainly_named(_whole_part(plain, layout)), path)
    lost = max(lost, layout.results - len(launches)) + layout.lost
    if not launches:
        raise _unreadable(path, layout, lost)
    return Profile(
        path=path,
        format=_FORMAT,
        launches=tuple(launches),
        settings=settings_of_command(layout.command, layout.attributes, created_unix_s=layout.created_unix_s),
        warnings=tuple(_warnings(layout, lost)),
    )


def _whole_part(plain: Plain, layout: Layout) -> Plain:
    """The report, or a copy that ends before its damage: native code must not meet that."""
    if not layout.damaged:
        return plain
    folder = temporary_folder()
    part = Plain(folder / "report.ncu-rep", folder)
    with plain.path.open("rb") as source, part.path.open("wb") as target:
        left = layout.whole_bytes
        while left and (chunk := source.read(min(left, _CHUNK))):
            left -= target.write(chunk)
    return part


def _plainly_named(plain: Plain) -> Plain:
    """The report, or a link to it where its own name would mislead the module: no UTF-8, or ncu's packed ending."""
    name = str(plain.path)
    if name.isprintable() and not name.endswith(_PACKED):
        return plain
    folder = temporary_folder()
    link = Plain(folder / "report.ncu-rep", folder)
    link.path.symlink_to(plain.path.absolute())
    return link


def read_packed_report(file: Path, path: str) -> Profile | None:
    """Read a report packed with zstd by ncu itself; None where the module finds no kernel in it."""
    import shutil

    folder = temporary_folder()
    named = Plain(folder / f"report{_PACKED}", folder)
    shutil.copyfile(file, named.path)
    launches, _ = _launches(_module(), named, path)
    return Profile(path=path, format=_FORMAT, launches=tuple(launches)) if launches else None


def _module() -> ModuleType:
    try:
        import ncu_report
    except ImportError as error:
        raise MissingDependency(
            "reading .ncu-rep files needs NVIDIA's ncu_report module",
            hint="Install it with: pip install ncu-report. Or export the report where ncu is installed: "
            "ncu --import REPORT --csv --page raw > report.csv",
        ) from error
    module: ModuleType = ncu_report
    return module


def _launches(module: ModuleType, plain: Plain, path: str) -> tuple[list[KernelLaunch], int]:
    """The launches, and how many results could not be read.

    The module reads on from the file when an instruction is asked for, so the launches keep it.
    """
    members = Members(module)
    units: dict[str, Unit] = {}
    launches: list[KernelLaunch] = []
    lost = 0
    try:
        for action in _actions(module, plain.path):
            if action.name() is None:
                lost += 1
            else:
                launches.append(
                    _launch(str(len(launches) + lost), action, ActionMetrics(action, units), members, plain)
                )
    except _BROKEN as error:
        raise UnreadableReport(
            f"ncu_report cannot read {path}: {error}",
            hint=_BOMB_HINT if isinstance(error, MemoryError) else _DAMAGE_HINT,
        ) from error
    return launches, lost


def _actions(module: ModuleType, file: Path) -> Iterator[Any]:
    context = module.load_report(str(file))
    for r in range(context.num_ranges()):
        span = context.range_by_idx(r)
        for index in range(span.num_actions()):
            yield span.action_by_idx(index)


def _launch(id: str, action: Any, metrics: ActionMetrics, members: Members, plain: Plain) -> KernelLaunch:
    workload = members.workloads.get(action.workload_type(), Workload.KERNEL)
    is_kernel = workload is Workload.KERNEL
    return KernelLaunch(
        id=id,
        name=name_of(action.name()),
        demangled=name_of(action.name(action.NameBase_DEMANGLED) or action.name()),
        metrics=metrics,
        device=device_of(metrics),
        grid=_dim3(metrics, "launch__grid_dim") if is_kernel else None,
        block=_dim3(metrics, "launch__block_dim") if is_kernel else None,
        nvtx=tuple(nvtx_ranges(action)),
        workload=workload,
        failed=has_failed(metrics),
        sections=Deferred(lambda: _section_ids(action)),
        stored_results=Deferred(lambda: stored_results(action, members)),
        # ncu_report 2026.3.1 crashes the process when asked for the source of a range or graph
        source=ActionSource(action, plain) if is_kernel else None,
        context=_id(metrics, "launch__context_id"),
        stream=_id(metrics, "launch__stream_id") if is_kernel else "",
    )


def _dim3(metrics: ActionMetrics, stem: str) -> Dim3 | None:
    x, y, z = (whole(metrics, f"{stem}_{axis}") for axis in "xyz")
    return (x, y, z) if x and y and z else None


def _id(metrics: ActionMetrics, name: str) -> str:
    value = metrics.raw(name)
    return f"{value:.0f}" if isinstance(value, float) else ""


def _unreadable(path: str, layout: Layout, lost: int) -> UnreadableReport:
    if not layout.damaged and not lost:
        return UnreadableReport(
            f"{path} is a report with no kernels in it",
            hint="Nothing was profiled: check the filters of the run (-k, --launch-skip, --nvtx-include).",
        )
    message = f"{path} is a truncated or damaged report: no kernels can be read"
    if layout.results:
        return UnreadableReport(
            f"{message}, although {layout.results} stand whole before byte {layout.whole_bytes:,}",
            hint=f"Read those with: head -c {layout.whole_bytes} REPORT > whole.ncu-rep",
        )
    return UnreadableReport(message, hint=_DAMAGE_HINT)


def _warnings(layout: Layout, lost: int) -> Sequence[str]:
    if lost:
        kernels = "1 kernel is" if lost == 1 else f"{lost} kernels are"
        return (f"the report is truncated or damaged: {kernels} lost",)
    if layout.damaged:
        return (f"the report is damaged behind byte {layout.whole_bytes:,}; kernels may be lost",)
    return ()


def _section_ids(action: Any) -> list[str]:
    """The sections of a result; the module of ncu 2025.3 and older cannot name them."""
    return [name_of(section.identifier()) for section in action.sections()] if hasattr(action, "sections") else []

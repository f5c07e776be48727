"""The ``ncu`` command line: what to collect, how the GPU is held still, and which launches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ncuanalyze.collect.installation import Installation, our_sections

FULL_SET = "ncuanalyze"
QUICK_SET = "ncuanalyze-quick"


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the user wants measured. ``clock``, ``cache`` and ``replay`` are ncu's own words."""

    program: tuple[str, ...]
    report: Path
    section_set: str = FULL_SET
    kernel: str | None = None
    launch_skip: int = 0
    launch_count: int | None = None
    nvtx: bool = False
    nvtx_include: tuple[str, ...] = ()
    clock: str = "base"
    cache: str = "all"
    replay: str = "kernel"
    extra: tuple[str, ...] = ()
    force: bool = False


def build_command(request: Request, installation: Installation) -> tuple[str, ...]:
    """The words of the command.

    Both section folders are named, because ``--section-folder`` drops the one that ncu loads by itself.
    Clock, cache and replay are always named, because their defaults differ between versions.
    """
    return (
        str(installation.ncu),
        *_sections(request, installation),
        *("--clock-control", request.clock),
        *("--cache-control", request.cache),
        *("--replay-mode", request.replay),
        *("--target-processes", "all"),
        *("--import-source", "yes"),
        *_filters(request),
        *request.extra,
        *(("--force-overwrite",) if request.force else ()),
        *("--export", str(request.report)),
        *request.program,
    )


def _sections(request: Request, installation: Installation) -> tuple[str, ...]:
    folders = [our_sections()]
    if installation.stock_sections is not None:
        folders.insert(0, installation.stock_sections)
    named = tuple(word for folder in folders for word in ("--section-folder", str(folder)))
    return (*named, "--set", request.section_set)


def _filters(request: Request) -> tuple[str, ...]:
    words: list[str] = []
    if request.kernel is not None:
        words += ["--kernel-name", _pattern(request.kernel)]
    if request.launch_skip:
        words += ["--launch-skip", str(request.launch_skip)]
    if request.launch_count is not None:
        words += ["--launch-count", str(request.launch_count)]
    if request.nvtx or request.nvtx_include:
        words.append("--nvtx")
    for expression in request.nvtx_include:
        words += ["--nvtx-include", expression]
    return tuple(words)


def _pattern(kernel: str) -> str:
    return kernel if kernel.startswith("regex:") else f"regex:{kernel}"

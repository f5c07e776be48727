"""The rooflines of a diagnosis as picture files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ncuanalyze.cli.output import cannot_write, check_target
from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis
from ncuanalyze.errors import InvalidInput, InvalidOption, MissingDependency
from ncuanalyze.render.charts import roofline_svg
from ncuanalyze.render.numbers import safe_text, short_name

SUFFIXES = (".svg", ".png", ".pdf")
PNG_SCALE = 2.0  # pixels of a PNG for one of the drawing: sharp on dense screens and in print


def with_shipped_ceilings(diagnosis: Diagnosis) -> tuple[KernelDiagnosis, ...]:
    """The kernels, with the package's own measured ceilings of their GPU beside the roofs, if it has any."""
    from ncuanalyze.analysis.ceilings import shipped_ceilings

    ceilings = shipped_ceilings(diagnosis.device.name)
    if ceilings is None:
        return diagnosis.kernels
    return tuple(
        replace(kernel, roofline=replace(kernel.roofline, roofs=ceilings.beside(kernel.roofline.roofs)))
        if kernel.roofline
        else kernel
        for kernel in diagnosis.kernels
    )


def draw(kernels: Sequence[KernelDiagnosis], output: Path, *, theme: str, force: bool) -> Iterator[Path]:
    """Write one picture a kernel, several numbered before the suffix; yields each file as it is written."""
    form = output.suffix.lower()
    if form not in SUFFIXES:
        raise InvalidOption(f"cannot draw a {form or 'nameless'} file", hint=f"use one of {', '.join(SUFFIXES)}")
    charts = [(kernel, svg) for kernel in kernels if (svg := _svg(kernel, theme if form == ".svg" else _plain(theme)))]
    if not charts:
        raise InvalidInput(
            "no kernel has a roofline in this report", hint="collect it with --set full or --set roofline"
        )
    for index, (_, svg) in enumerate(charts):
        path = output if len(charts) == 1 else output.with_stem(f"{output.stem}-{index}")
        check_target(path, force=force)
        _write(path, _converted(svg, form))
        yield path


def _plain(theme: str) -> str:
    return "light" if theme == "auto" else theme


def _svg(kernel: KernelDiagnosis, theme: str) -> str:
    if kernel.roofline is None:
        return ""
    name = short_name(kernel.kernel.demangled or kernel.kernel.name)
    title = f"{name} · {safe_text(kernel.kernel.nvtx[-1])}" if kernel.kernel.nvtx else name
    return roofline_svg(kernel.roofline, title=title, theme=theme)


def _converted(svg: str, form: str) -> bytes:
    if form == ".svg":
        return svg.encode()
    try:
        import cairosvg
    except (ImportError, OSError) as error:
        raise MissingDependency(
            f"{form} files need CairoSVG",
            hint="pip install 'ncuanalyze[charts]' (and the cairo library), or use .svg",
        ) from error
    data = svg.encode()
    pdf = form == ".pdf"
    drawn: bytes = cairosvg.svg2pdf(bytestring=data) if pdf else cairosvg.svg2png(bytestring=data, scale=PNG_SCALE)
    return drawn


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise cannot_write(path, error) from error

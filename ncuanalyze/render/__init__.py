"""A diagnosis as text: one function a format, each reading only the diagnosis."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ncuanalyze.diagnosis import Diagnosis

Renderer = Callable[[Diagnosis], str]

FORMATS = {
    "text": "ncuanalyze.render.text",
    "json": "ncuanalyze.render.json_output",
    "html": "ncuanalyze.render.html_report",
    "markdown": "ncuanalyze.render.markdown",
    "csv": "ncuanalyze.render.csv_table",
    "sarif": "ncuanalyze.render.sarif",
}


def render(diagnosis: Diagnosis, format: str = "text") -> str:
    """The diagnosis in one of ``FORMATS``; the module of a format is imported when it is first used."""
    renderer: Renderer = import_module(FORMATS[format]).render
    return renderer(diagnosis)

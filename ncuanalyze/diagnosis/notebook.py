"""What lets a notebook show a document of this package; the drawing is found by name when it is wanted."""

from __future__ import annotations

from importlib import import_module

DRAWING = "ncuanalyze.render.notebook"


class Displayed:
    """Shown as the HTML page in Jupyter and its kin."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module(DRAWING).frame(self))

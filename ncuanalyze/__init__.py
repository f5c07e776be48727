"""Read Nsight Compute reports, say what bounds each kernel, and which change pays most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ncuanalyze.version import __version__

if TYPE_CHECKING:
    from ncuanalyze.diagnose import diagnose
    from ncuanalyze.load import load
    from ncuanalyze.render import render

__all__ = ["__version__", "diagnose", "load", "render"]

_HOMES = {"diagnose": "ncuanalyze.diagnose", "load": "ncuanalyze.load", "render": "ncuanalyze.render"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ncuanalyze' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)

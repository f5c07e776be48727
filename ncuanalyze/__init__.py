"""Read Nsight Compute reports, say what bounds each kernel, and which change pays most."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ncuanalyze.version import __version__

if TYPE_CHECKING:
    from ncuanalyze.diagnose import diagnose as diagnose_profile
    from ncuanalyze.load import load as load_profile
    from ncuanalyze.render import render as render_diagnosis

__all__ = ["__version__", "diagnose_profile", "load_profile", "render_diagnosis"]

_HOMES = {
    "diagnose_profile": ("ncuanalyze.diagnose", "diagnose"),
    "load_profile": ("ncuanalyze.load", "load"),
    "render_diagnosis": ("ncuanalyze.render", "render"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ncuanalyze' has no attribute {name!r}")
    module, function = _HOMES[name]
    return getattr(import_module(module), function)

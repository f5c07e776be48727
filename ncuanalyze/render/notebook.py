"""A diagnosis in a notebook: the page in a frame of its own, so that neither changes the other's style."""

from __future__ import annotations

from html import escape

from ncuanalyze.diagnosis import Device, Diagnosis, KernelDiagnosis, Source
from ncuanalyze.render.html_report import render
from ncuanalyze.render.names import short_name

FRAME_HEIGHT_PX = 720


def frame(shown: Diagnosis | KernelDiagnosis) -> str:
    """The page of a diagnosis, or of one kernel of it, as an ``<iframe>`` that holds the whole document."""
    document = shown if isinstance(shown, Diagnosis) else _alone(shown)
    return (
        f'<iframe title="{escape(document.source.file)}" sandbox="allow-scripts" width="100%" '
        f'height="{FRAME_HEIGHT_PX}" frameborder="0" srcdoc="{escape(render(document))}"></iframe>'
    )


def _alone(kernel: KernelDiagnosis) -> Diagnosis:
    return Diagnosis(
        source=Source(file=short_name(kernel.kernel.demangled), format=""),
        device=Device(),
        kernels=(kernel,),
    )

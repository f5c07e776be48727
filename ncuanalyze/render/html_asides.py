"""What stands beside a kernel's diagnosis: NVIDIA's own results, and how to collect what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ncuanalyze.diagnosis import KernelDiagnosis, Missing, NvidiaResult
from ncuanalyze.render.names import ELLIPSIS

MESSAGE_LENGTH = 200
"""NVIDIA's messages go on with what each counter is; the first sentences say what it found."""
REMARKS = ("ok", "none", "")


def collect_command(missing: Sequence[Missing]) -> str:
    """The one ncu command that collects every section the missing parts ask for; "" where none asks for any."""
    words = [word for item in missing for word in item.collect.split()]
    sections = dict.fromkeys(word for option, word in pairwise(words) if option == "--section")
    return " ".join(("ncu", *(f"--section {name}" for name in sections))) if sections else ""


def nvidia_results(kernel: KernelDiagnosis) -> tuple[NvidiaResult, ...]:
    """NVIDIA's results with a title each and their first sentences; remarks without a title say nothing found."""
    return tuple(
        replace(result, title=result.title or result.rule, message=_cut(result.message))
        for result in kernel.nvidia_results
        if result.title or result.kind not in REMARKS
    )


def guide_links(kernel: KernelDiagnosis) -> tuple[tuple[str, str], ...]:
    """The guides NVIDIA's results point to, once each; nothing but https is a link."""
    pairs = {url: text for result in kernel.nvidia_results for text, url in result.links}
    return tuple((text or url, url) for url, text in pairs.items() if url.startswith("https://"))


def _cut(text: str) -> str:
    if len(text) <= MESSAGE_LENGTH:
        return text
    return f"{text[:MESSAGE_LENGTH].rpartition(' ')[0] or text[:MESSAGE_LENGTH]}{ELLIPSIS}"

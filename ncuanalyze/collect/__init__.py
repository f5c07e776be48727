"""Build the ``ncu`` command that measures what the diagnosis needs, run it, and name what went wrong."""

from ncuanalyze.collect.advice import advice_for
from ncuanalyze.collect.command import FULL_SET, QUICK_SET, Request, build_command
from ncuanalyze.collect.installation import Installation, find_installation, our_sections
from ncuanalyze.collect.run import collect_report

__all__ = [
    "FULL_SET",
    "QUICK_SET",
    "Installation",
    "Request",
    "advice_for",
    "build_command",
    "collect_report",
    "find_installation",
    "our_sections",
]

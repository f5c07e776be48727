"""Read a report in any of its forms into a ``Profile``."""

from ncuanalyze.load.entry import load

__all__ = ["load"]

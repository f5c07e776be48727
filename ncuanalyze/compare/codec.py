"""A comparison back from plain JSON values (``diagnosis.to_dict`` writes them)."""

from __future__ import annotations

import typing
from typing import Any

from ncuanalyze.compare.comparison import SCHEMA, Comparison
from ncuanalyze.diagnosis.codec import document_from_dict


def comparison_from_dict(data: Any) -> Comparison:
    """The comparison that ``to_dict`` gave. A wrong shape is ``UnreadableReport``."""
    return typing.cast(Comparison, document_from_dict(Comparison, SCHEMA, data, what="comparison"))

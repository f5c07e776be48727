"""A member of an archive, before it is unpacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from ncuanalyze.record import record


@record
class Packed:
    """``open`` gives its bytes, unless it is ``refused``. ``size``: bytes that it unpacks to, where known."""

    name: str
    refused: str = ""
    size: int = 0
    open: Callable[[], IO[bytes] | None] = lambda: None

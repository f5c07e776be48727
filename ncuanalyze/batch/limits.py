"""What one report may use before its reader is stopped."""

from __future__ import annotations

from ncuanalyze.record import record

GIB = 1 << 30
DEFAULT_TIMEOUT_S = 120.0
MEMORY_FLOOR_BYTES = 1 * GIB
MEMORY_PER_FILE_BYTE = 16
"""A reader needs about ten times the report's size (measured: 46 MB take 455 MB); more is out of proportion."""


@record
class Limits:
    """``timeout_s`` is wall-clock time; ``memory_bytes`` is address space, None to go by the file's size."""

    timeout_s: float = DEFAULT_TIMEOUT_S
    memory_bytes: int | None = None

    def memory_for(self, file_bytes: int) -> int:
        """The address space that the reader of a file of this size gets."""
        if self.memory_bytes is not None:
            return self.memory_bytes
        return max(MEMORY_FLOOR_BYTES, MEMORY_PER_FILE_BYTE * file_bytes)

"""How much an archive may hold, by its own size."""

from __future__ import annotations

MOST_RATIO = 300
LEAST_LIMIT_BYTES = 1 << 30
LEAST_LIMIT_MEMBERS = 100_000
BYTES_PER_MEMBER = 500
"""No report is smaller, packed by itself; an archive may hold ``LEAST_LIMIT_MEMBERS`` of any size."""


class TooLarge(ValueError):
    """The archive holds more than any archive of reports of its size would."""


class Crowd:
    """How many reports the archive may hold."""

    def __init__(self, archive_bytes: int) -> None:
        self._size = archive_bytes
        self._most = max(LEAST_LIMIT_MEMBERS, archive_bytes // BYTES_PER_MEMBER)

    def check(self, members: int) -> None:
        """Raise TooLarge where there are more."""
        if members > self._most:
            raise TooLarge(f"it holds more than {self._most:,} reports in {self._size:,} bytes")


class Budget:
    """How many more bytes the archive may unpack to."""

    def __init__(self, archive_bytes: int) -> None:
        self.size = self._left = max(LEAST_LIMIT_BYTES, MOST_RATIO * archive_bytes)

    def spend(self, size: int) -> None:
        """Take so many bytes. Raises TooLarge where there are no more."""
        if not self.covers(size):
            raise TooLarge(f"it unpacks to more than {self.size:,} bytes")
        self._left -= size

    def covers(self, size: int) -> bool:
        """Whether so many bytes are left."""
        return size <= self._left

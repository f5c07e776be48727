"""How reading one report ended: its diagnosis, or why there is none."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Self

from ncuanalyze.batch.frames import pack, receive
from ncuanalyze.diagnosis import Diagnosis, from_dict
from ncuanalyze.record import record

THE_REPORT = "<report>"
"""Stands for the report's name in an error message, so that the same bytes give the same message anywhere."""


class Ending(StrEnum):
    """How the reader of one report ended."""

    DIAGNOSED = "diagnosed"
    REFUSED = "refused"  # an error of ours, with a hint: damaged, empty, not a report
    INTERNAL = "internal"  # any other exception: a bug of ours
    CRASHED = "crashed"  # the process died of a signal
    TIMEOUT = "timeout"
    MEMORY = "memory"
    UNREACHABLE = "unreachable"  # it could not be fetched, or opened with what this machine has at the moment


OF_THE_MOMENT = frozenset({Ending.TIMEOUT, Ending.MEMORY, Ending.UNREACHABLE})
"""Endings that another machine, another limit or another minute can change: tried again by the next run."""

READER_LOST = "ReaderLost"
"""The error of a reader that was killed from outside."""


@record
class Outcome:
    """One report's result. ``packed`` is the diagnosis as zlib-compressed JSON, empty where there is none."""

    ending: Ending
    packed: bytes = b""
    kernels: int = 0
    created: str = ""  # when the run began: ISO 8601, UTC
    error: str = ""  # the error's type: UnreadableReport, SIGSEGV, ...
    message: str = ""
    hint: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether another attempt would come to the same."""
        return self.ending not in OF_THE_MOMENT and self.error != READER_LOST

    @property
    def is_diagnosed(self) -> bool:
        """Whether there is a diagnosis."""
        return self.ending is Ending.DIAGNOSED

    def document(self) -> dict[str, Any]:
        """The diagnosis as plain JSON values; ValueError where there is none."""
        import json
        import zlib

        if not self.packed:
            raise ValueError(f"no diagnosis: {self.message}")
        document: dict[str, Any] = json.loads(zlib.decompress(self.packed))
        return document

    def diagnosis(self) -> Diagnosis:
        """The diagnosis itself; ValueError where there is none."""
        return from_dict(self.document())

    def to_bytes(self) -> bytes:
        """The outcome as it travels and is kept."""
        header = {name: getattr(self, name) for name in _HEADER}
        return pack({**header, "ending": self.ending.value}, self.packed)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self | None:
        """What ``to_bytes`` gave; None where it is cut or damaged."""
        import io

        message = receive(io.BytesIO(data))
        return None if message is None else cls.from_message(*message)

    @classmethod
    def from_message(cls, header: dict[str, Any], packed: bytes) -> Self | None:
        """The outcome that was sent as a message; None where it is something else."""
        try:
            known = {name: header[name] for name in _HEADER}
            return cls(**{**known, "ending": Ending(header["ending"])}, packed=packed)
        except (KeyError, ValueError):
            return None

    def message_for(self, name: str) -> str:
        """The error message with the report's own name in it."""
        return self.message.replace(THE_REPORT, name)


_HEADER = ("ending", "kernels", "created", "error", "message", "hint")

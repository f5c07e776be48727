"""How reading one report ended: its diagnosis, or why there is none."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from ncuanalyze.batch.frames import pack, receive
from ncuanalyze.batch.json_lines import from_json, record_of
from ncuanalyze.batch.texts import shown_text
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

MOST_DOCUMENT_BYTES = 128 << 20
"""A diagnosis as JSON. A kernel takes 4 to 16 KB, so this is 8,000 kernels at the least."""
MOST_MESSAGE = 2_000
"""Characters of an error's texts: what a report says of itself may be of any length."""
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
        """The diagnosis as plain JSON values; ValueError where there is none, or it is larger than any."""
        import zlib

        if not self.packed:
            raise ValueError(f"no diagnosis: {self.message}")
        try:
            data = zlib.decompressobj().decompress(self.packed, MOST_DOCUMENT_BYTES + 1)
        except zlib.error as error:
            raise ValueError(f"the diagnosis is damaged: {error}") from error
        if len(data) > MOST_DOCUMENT_BYTES:
            raise ValueError(f"the diagnosis takes more than {MOST_DOCUMENT_BYTES:,} bytes")
        document = from_json(data)
        if not isinstance(document, dict):
            raise ValueError("the diagnosis is no JSON object")
        return document

    def diagnosis(self) -> Diagnosis:
        """The diagnosis itself; ValueError where there is none."""
        return from_dict(self.document())

    def to_bytes(self) -> bytes:
        """The outcome as it travels and is kept, its texts such as any file can hold."""
        header = {name: getattr(self, name) for name in _HEADER}
        shown = {name: shown_text(header[name], MOST_MESSAGE) for name in ("error", "message", "hint")}
        created = self.created if is_moment(self.created) else ""
        return pack({**header, **shown, "created": created, "ending": self.ending.value}, self.packed)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self | None:
        """What ``to_bytes`` gave; None where it is cut or damaged."""
        import io

        message = receive(io.BytesIO(data))
        return None if message is None else cls.from_message(*message)

    @classmethod
    def from_message(cls, header: dict[str, Any], packed: bytes) -> Self | None:
        """The outcome that was sent as a message; None where it is something else."""
        known = record_of(header, _Header)
        if known is None or known.ending not in set(Ending) or not is_moment(known.created):
            return None
        values = {name: getattr(known, name) for name in _HEADER}
        return cls(**{**values, "ending": Ending(known.ending)}, packed=packed)

    def message_for(self, name: str) -> str:
        """The error message with the report's own name in it."""
        return self.message.replace(THE_REPORT, name)

    def hint_for(self, name: str) -> str:
        """The hint with the report's own name in it."""
        return self.hint.replace(THE_REPORT, name)


def is_moment(created: str) -> bool:
    """Whether it is empty or says when a run began."""
    try:
        return not created or bool(datetime.fromisoformat(created))
    except ValueError:
        return False


@record
class _Header:
    """What of an outcome travels as JSON."""

    ending: str
    kernels: int
    created: str
    error: str
    message: str
    hint: str


_HEADER = tuple(item.name for item in fields(_Header))

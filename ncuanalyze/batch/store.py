"""Outcomes kept by the content hash of their report, so that a run that stops goes on where it stopped."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from ncuanalyze.batch.outcome import Outcome


class OutcomeStore:
    """One file an outcome, below ``folder/FINGERPRINT``; outcomes of another fingerprint are not seen.

    Each begins with a digest of the rest, so that a damaged one counts as missing. The store may be deleted at any
    time: what is missing is diagnosed again.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._all = folder
        self._folder = folder / fingerprint
        self._kept = folder / _KEPT

    def put(self, sha256: str, outcome: Outcome) -> None:
        """Keep an outcome; a reader never sees half of one. A settled one stays, whatever the moment makes of it."""
        if not outcome.is_settled and self.is_settled(sha256):
            return
        file = self._file(sha256)
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, outcome)

    def get(self, sha256: str) -> Outcome | None:
        """The outcome for these bytes, an adopted one where there is no other; None for none, or a damaged one."""
        return _read(self._file(sha256)) or _read(self._kept / sha256)

    def is_settled(self, sha256: str) -> bool:
        """Whether there is an outcome of this fingerprint that another attempt would not change."""
        outcome = _read(self._file(sha256)) if sha256 else None
        return outcome is not None and outcome.is_settled

    def adopt(self, sha256: str) -> None:
        """Keep what another fingerprint made of these bytes, where this one has made nothing of them."""
        if not sha256 or self._file(sha256).exists() or (self._kept / sha256).exists():
            return
        for found in self._all.glob(f"*/{sha256[:2]}/{sha256}"):
            self._kept.mkdir(exist_ok=True)
            found.replace(self._kept / sha256)

    def keep(self, sha256: str, outcome: Outcome) -> None:
        """Keep what was found of these bytes elsewhere. It does not make them settled: no fingerprint tells of it."""
        self._kept.mkdir(parents=True, exist_ok=True)
        _write(self._kept / sha256, outcome)

    def drop(self, sha256: str) -> None:
        """Forget an outcome that is of no use."""
        for file in (self._file(sha256), self._kept / sha256):
            file.unlink(missing_ok=True)

    def forget(self, keep: frozenset[str]) -> None:
        """Drop outcomes of other fingerprints and of bytes that no report has any more; nothing that is not ours."""
        for file in (*self._all.glob("*/*/*"), *self._kept.glob("*")):
            is_used = file.name in keep and (self._folder in file.parents or self._kept == file.parent)
            if _OURS.fullmatch(file.name) and not is_used:
                file.unlink(missing_ok=True)
        for folder in (*self._all.glob("*/*/"), *self._all.glob("*/")):
            with suppress(OSError):  # it is not empty
                folder.rmdir()

    def _file(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256


_KEPT = "kept"
_DIGEST_BYTES = 32
_OURS = re.compile(r"[0-9a-f]{64}(?:\.new)?")


def _write(file: Path, outcome: Outcome) -> None:
    written, data = file.with_suffix(".new"), outcome.to_bytes()
    written.write_bytes(hashlib.sha256(data).digest() + data)
    written.replace(file)


def _read(file: Path) -> Outcome | None:
    try:
        held = file.read_bytes()
    except OSError:
        return None
    digest, data = held[:_DIGEST_BYTES], held[_DIGEST_BYTES:]
    return Outcome.from_bytes(data) if hashlib.sha256(data).digest() == digest else None

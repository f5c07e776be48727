"""Reads and diagnoses one report: what the isolated process does."""

from __future__ import annotations

import json
import re
import tempfile
import traceback
import zlib
from pathlib import Path

from ncuanalyze.batch.deaths import out_of_memory
from ncuanalyze.batch.moment import chain, outcome_of_the_moment
from ncuanalyze.batch.outcome import MOST_DOCUMENT_BYTES, THE_REPORT, Ending, Outcome
from ncuanalyze.batch.texts import cut_texts
from ncuanalyze.errors import NcuAnalyzeError, UnreadableReport
from ncuanalyze.ruleset import RuleSet

_SAVED = b"{"
_COPY = r"/(?:[^\s'\"]*/)?ncuanalyze-\w[^\s'\":,;)]*"
"""A temporary file of ours, below the folder of such files."""


def diagnose_report(path: Path, rules: RuleSet, memory_bytes: int) -> Outcome:
    """The outcome of one file, whatever it raises. The document's ``source.file`` is the file's name here."""
    try:
        return _diagnosed(path, rules)
    except NcuAnalyzeError as error:
        return _not_its_fault(error, memory_bytes) or _refused(error, path)
    except Exception as error:  # the last net of an isolated process: a bug costs this report alone
        return _not_its_fault(error, memory_bytes) or _bug(error, path)


def _refused(error: NcuAnalyzeError, path: Path) -> Outcome:
    message, hint = _nameless(str(error), path), _nameless(error.hint, path)
    return Outcome(ending=Ending.REFUSED, error=type(error).__name__, message=message, hint=hint)


def _not_its_fault(error: Exception, memory_bytes: int) -> Outcome | None:
    """The outcome where more memory or another moment would give another one."""
    if any(_wants_memory(cause) for cause in chain(error)):
        return out_of_memory(memory_bytes)
    return outcome_of_the_moment(error)


def _nameless(message: str, path: Path) -> str:
    """The message with the file's path, or its name where that cannot be a plain word, and unpacked copies taken out.

    So the same bytes give the same message in every run, under whatever name.
    """
    copy = re.escape(tempfile.gettempdir()) + _COPY
    message = re.sub(copy, THE_REPORT, message.replace(str(path), THE_REPORT))
    return re.sub(rf"(?<![\w/]){re.escape(path.name)}(?!\w)", THE_REPORT, message) if "." in path.name else message


def _diagnosed(path: Path, rules: RuleSet) -> Outcome:
    from ncuanalyze.diagnose import diagnose
    from ncuanalyze.diagnosis import from_dict, to_dict
    from ncuanalyze.load import load

    saved = _saved_document(path)
    if saved is not None:
        diagnosis, created = from_dict(saved), ""
    else:
        profile = load(path)
        diagnosis, created = diagnose(profile, ruleset=rules), profile.settings.created
    text = json.dumps(cut_texts(to_dict(diagnosis)), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    data, kernels = text.encode(errors="replace"), len(diagnosis.kernels)
    if len(data) > MOST_DOCUMENT_BYTES:
        raise UnreadableReport(
            f"the diagnosis of its {kernels:,} kernels takes more than {MOST_DOCUMENT_BYTES >> 20} MiB",
            hint="Split the report, or profile fewer launches.",
        )
    return Outcome(ending=Ending.DIAGNOSED, packed=zlib.compress(data), kernels=kernels, created=created)


def _saved_document(path: Path) -> object:
    """The JSON of a saved diagnosis; None for every other file."""
    with path.open("rb") as file:
        if file.read(1) != _SAVED:
            return None
        try:
            document = json.loads(_SAVED + file.read())
        except (ValueError, RecursionError):
            return None
    schema = document.get("schema") if isinstance(document, dict) else None
    return document if isinstance(schema, str) and schema.startswith("ncuanalyze.diagnosis/") else None


def _wants_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or "bad_alloc" in str(error)


def _bug(error: Exception, path: Path) -> Outcome:
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    said = _nameless(str(error), path)
    return Outcome(
        ending=Ending.INTERNAL,
        error=type(error).__name__,
        message=f"reading {THE_REPORT} met a bug of ncuanalyze: {type(error).__name__} at {where}: {said}",
        hint="Please report it, with the file if you may share it.",
    )

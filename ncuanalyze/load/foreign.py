"""Texts that people mistake for a report: what each is, and what to export instead."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ncuanalyze.errors import NcuAnalyzeError, SavedDiagnosis, UnknownFormat, UnreadableReport
from ncuanalyze.load.limits import check_containers

EXPORT = "ncu --import REPORT --csv --page raw > report.csv"
_EXPORT_HINT = f"Export the raw or details page instead: {EXPORT}"
_SAMPLE = 4096
_DIAGNOSIS_SCHEMA = "ncuanalyze.diagnosis/"
_COMPARISON_SCHEMA = "ncuanalyze.comparison/"
_SOURCE_HEADER = re.compile(r'^"?(#"?,"?)?Address"?,"?Source"?,', re.MULTILINE)
_SESSION_HEADER = re.compile(r'^(Launch Settings|"Launch Attribute","Value")$', re.MULTILINE)
_CUT_HEADER = re.compile(r'^"(ID","Process|Process ID","Process)[^\n]*\Z', re.MULTILINE)
_NVPROF = re.compile(r"^==\d+== (NVPROF|Profiling result)", re.MULTILINE)
_NSYS = re.compile(r'^"?Time \(%\)"?,"?Total Time', re.MULTILINE)


def foreign_text(text: str, path: str) -> NcuAnalyzeError:
    """The error for a text that holds no data of ncu."""
    for is_it, explain in _KINDS:
        if is_it(text):
            return explain(path, text)
    return UnknownFormat(
        f"{path} is not a report of Nsight Compute: plain text without any data of ncu",
        hint=f"Give a .ncu-rep file, or an export: {EXPORT}",
    )


def _empty(path: str, text: str) -> NcuAnalyzeError:
    return UnreadableReport(
        f"{path} is an empty file", hint="Profile again, or export again: the disk may have been full."
    )


def _lfs(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(f"{path} is a git LFS pointer, not the report itself", hint="Fetch the file: git lfs pull")


def _zone(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(
        f"{path} is not a report: it is the Zone.Identifier that Windows keeps beside a download",
        hint="Give the file of the same name without :Zone.Identifier.",
    )


def _json(path: str, text: str) -> NcuAnalyzeError:
    if _COMPARISON_SCHEMA in text:
        return UnknownFormat(
            f"{path} is a comparison saved by ncuanalyze, neither a report nor a saved diagnosis",
            hint=f"Give the reports that were compared; ncuanalyze compare {path}, alone, shows it.",
        )
    return UnknownFormat(f"{path} is JSON, not an export of ncu", hint=_EXPORT_HINT)


def saved_diagnosis(text: str, path: str) -> SavedDiagnosis | None:
    """The error that carries a saved diagnosis, where the text is one."""
    if not text[:_SAMPLE].lstrip().startswith("{") or _DIAGNOSIS_SCHEMA not in text:
        return None
    check_containers(text.count("[") + text.count("{"), len(text))
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not str(document.get("schema", "")).startswith(_DIAGNOSIS_SCHEMA):
        return None
    return SavedDiagnosis(
        f"{path} is JSON: a diagnosis saved by ncuanalyze, not a report",
        document,
        hint=f"Show it with: ncuanalyze {path}",
    )


def _html(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(
        f"{path} is a web page, not a report",
        hint="A download that needs a login saves its login page. Fetch it again.",
    )


def _nvprof(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(
        f"{path} is nvprof output, not Nsight Compute's",
        hint="Profile with ncu: ncu --set full -o report ./app",
    )


def _nsys(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(
        f"{path} is a statistics table of Nsight Systems (nsys), not of Nsight Compute",
        hint="nsys times a whole application; profile its kernels with: ncu --set full -o report ./app",
    )


def _cut(path: str, text: str) -> NcuAnalyzeError:
    return UnreadableReport(f"{path} is truncated: it ends inside its header", hint=f"Export again: {EXPORT}")


def _source(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(f"{path} is an export of the source page: it has no launch metrics", hint=_EXPORT_HINT)


def _session(path: str, text: str) -> NcuAnalyzeError:
    return UnknownFormat(f"{path} is an export of the session page: no kernels in it", hint=_EXPORT_HINT)


_KINDS: tuple[tuple[Callable[[str], object], Callable[[str, str], NcuAnalyzeError]], ...] = (
    (lambda text: not text.strip(), _empty),
    (lambda text: text.startswith("version https://git-lfs"), _lfs),
    (lambda text: text.lstrip().startswith("[ZoneTransfer]"), _zone),
    (lambda text: text.lstrip()[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]"), _json),
    (lambda text: text.lstrip()[:200].lower().startswith(("<!doctype html", "<html")), _html),
    (_NVPROF.search, _nvprof),
    (_NSYS.search, _nsys),
    (_SOURCE_HEADER.search, _source),
    (_SESSION_HEADER.search, _session),
    (_CUT_HEADER.search, _cut),
)

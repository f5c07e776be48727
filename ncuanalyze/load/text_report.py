"""Every text form of a report: CSV of any page, a copy from the terminal or the interface, or a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ncuanalyze.errors import NcuAnalyzeError, UnreadableReport
from ncuanalyze.load.console import is_console, launches_of_console
from ncuanalyze.load.details_page import launches_of_details_page
from ncuanalyze.load.foreign import EXPORT, foreign_text, saved_diagnosis
from ncuanalyze.load.gui_page import is_gui_page, read_gui_page
from ncuanalyze.load.ncu_log import failure_in, warnings_of
from ncuanalyze.load.raw_page import launches_of_raw_page
from ncuanalyze.load.session import settings_of_output
from ncuanalyze.load.summary_page import launches_of_summary, summary_note
from ncuanalyze.load.table import Table
from ncuanalyze.load.tables import Found, find_tables
from ncuanalyze.profile import KernelLaunch, Profile


def read_text(text: str, path: str) -> Profile:
    """The profile of a text; raises the error that says what else the text is."""
    if (saved := saved_diagnosis(text, path)) is not None:
        raise saved
    found = find_tables(text)
    if found.tables:
        return _of_tables(found, path)
    if is_gui_page(text) and (profile := _of_gui_page(text, path)):
        return profile
    if is_console(text):
        return Profile(
            path=path,
            format="console",
            launches=tuple(launches_of_console(text)),
            settings=settings_of_output(found.messages),
            warnings=warnings_of(found.messages),
        )
    raise failure_in(text, path) or foreign_text(text, path)


def _of_tables(found: Found, path: str) -> Profile:
    launches = tuple(_launches(found.tables))
    if not launches:
        raise _no_kernel(found, path)
    pages = {"csv-details" if table.is_details else "csv-raw" for table in found.tables}
    return Profile(
        path=path,
        format="csv-raw" if "csv-raw" in pages else "csv-details",
        launches=launches,
        settings=settings_of_output(found.messages),
        warnings=(*warnings_of(found.messages), *_notes(found)),
    )


def _of_gui_page(text: str, path: str) -> Profile | None:
    launches, bare = read_gui_page(text)
    warnings = (f"the file is truncated: {bare} launch(es) without any metric were left out",) if bare else ()
    return Profile(path=path, format="csv-raw", launches=tuple(launches), warnings=warnings) if launches else None


def _launches(tables: list[Table]) -> Iterator[KernelLaunch]:
    seen: set[str] = set()
    for export, table in enumerate(tables, start=1):
        read = list(_reader(table)(table))
        repeated = not seen.isdisjoint(launch.id for launch in read)
        for launch in read:
            yield replace(launch, id=f"{launch.id} of export {export}") if repeated else launch
        seen.update(launch.id for launch in read)


def _reader(table: Table) -> Callable[[Table], Iterator[KernelLaunch]]:
    if table.is_summary:
        return launches_of_summary
    return launches_of_details_page if table.is_details else launches_of_raw_page


def _no_kernel(found: Found, path: str) -> NcuAnalyzeError:
    failure = failure_in("\n".join(found.messages), path)
    if failure is not None and any("==ERROR==" in line for line in found.messages):
        return failure
    cut = sum(table.cut_rows for table in found.tables)
    if cut:
        return UnreadableReport(
            f"{path} is truncated: the row of its only kernel is cut, so no kernel can be read",
            hint=f"Export again: {EXPORT}",
        )
    if any(table.bare_rows for table in found.tables):
        return UnreadableReport(
            f"{path} names kernels, but has no column for a metric: there is nothing to judge",
            hint=f"Export again: {EXPORT}",
        )
    if found.ends_in_line:
        return UnreadableReport(
            f"{path} is truncated: it ends inside a line, before the first kernel", hint=f"Export again: {EXPORT}"
        )
    return UnreadableReport(
        f"{path} has a header but no kernel below it",
        hint="Nothing was profiled: check the filters (-k, --launch-skip, --nvtx-include) of the ncu run.",
    )


def _notes(found: Found) -> Iterator[str]:
    if len(found.tables) > 1:
        yield f"the file holds {len(found.tables)} exports; all their launches are shown"
    if any(table.is_summary for table in found.tables):
        yield summary_note()
    cut = sum(table.cut_rows for table in found.tables) + found.ends_in_row
    if cut:
        yield f"the file is truncated: {cut} cut row(s) were left out"
    if found.foreign:
        yield f"{found.foreign} line(s) without data of a launch were skipped"

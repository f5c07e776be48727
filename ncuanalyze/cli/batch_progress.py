"""How far a batch is: a bar with rate and time left, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ncuanalyze.batch.run import Watch

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task

    from ncuanalyze.batch.ledger import Entry


class Bar(Watch):
    """Draws what a run tells."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("reports", total=0, errors=0)
        self._total = self._ended = self._errors = 0

    def expect(self, reports: int) -> None:
        """More reports to come; members of archives are counted as they are met."""
        self._total += reports
        self._bar.update(self._task, total=self._total)

    def ended(self, entry: Entry) -> None:
        """One more report is done."""
        self._ended += 1
        self._errors += not entry.is_diagnosed
        self._total = max(self._total, self._ended)
        self._bar.update(self._task, completed=self._ended, total=self._total, errors=self._errors)


@contextmanager
def progress() -> Iterator[Watch]:
    """A bar on standard error where that is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[errors]} not read"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar)


def _rate() -> ProgressColumn:
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Reports a second, over the last ones."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")

    return Rate()

"""How far a batch is: a bar with rate and time left, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from ncuanalyze.batch.run import Watch

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task

    from ncuanalyze.batch.ledger import Entry


class Bar(Watch):
    """Draws what a run tells. With archives nobody knows the total: they are unpacked as their members are read."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("reports", total=None, errors=0, least=0)
        self._least = self._ended = self._errors = 0

    def expect(self, reports: int, *, archives: int) -> None:
        """So many reports, or at least so many."""
        self._least = reports - archives
        self._bar.update(self._task, total=None if archives else reports, least=self._least)

    def ended(self, entry: Entry) -> None:
        """One more report is done."""
        self._ended += 1
        self._errors += not entry.is_diagnosed
        self._least += bool(entry.archive)
        self._bar.update(self._task, completed=self._ended, errors=self._errors, least=self._least)


@contextmanager
def progress() -> Iterator[Watch]:
    """A bar on standard error where that is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(*columns(), console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar)


def columns() -> tuple[ProgressColumn, ...]:
    """What the bar shows, from left to right."""
    from rich.progress import BarColumn, TextColumn

    return (
        TextColumn("{task.description}"),
        BarColumn(),
        _column(_count),
        _column(_rate),
        _column(_left),
        TextColumn("{task.fields[errors]} not read"),
    )


def _count(task: Task) -> str:
    ended = int(task.completed)
    return f"{ended:,} of at least {task.fields['least']:,}" if task.total is None else f"{ended:,}/{int(task.total):,}"


def _rate(task: Task) -> str:
    """Reports a second, over the last ones."""
    return f"{task.speed:.1f}/s" if task.speed else "-/s"


def _left(task: Task) -> str:
    """The time that what is known of will take at this rate; what archives still hold comes on top."""
    known = task.fields["least"] if task.total is None else int(task.total)
    more = "at least " if task.total is None else ""
    if not task.speed or (more and known <= task.completed):
        return "-:--:--"
    return f"{more}{timedelta(seconds=ceil((known - task.completed) / task.speed))}"


def _column(say: Callable[[Task], str]) -> ProgressColumn:
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Said(ProgressColumn):
        """One column of words."""

        def render(self, task: Task) -> Text:
            return Text(say(task))

    return Said()

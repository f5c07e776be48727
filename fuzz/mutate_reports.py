"""Damages reports in thousands of ways and counts what the isolated reader makes of them.

    python fuzz/mutate_reports.py 10000 [--first SEED] [--keep FOLDER]

Fails where an input hangs, raises what is no error of ours, loses kernels without a word, or cannot be drawn in every
format. Input number N is always the same bytes.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from mutations import damaged

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from fuzz.targets import every_output

from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.limits import GIB, Limits
from ncuanalyze.batch.outcome import Ending, Outcome
from ncuanalyze.load.container import unpacked

FIXTURES = Path(__file__).parents[1] / "fixtures"
SEEDS = ("odd/small_3kernels.ncu-rep", "variants/basic.ncu-rep.xz", "triples/c26.ncu-rep.xz", "demo.ncu-rep.xz")
LIMITS = Limits(timeout_s=10, memory_bytes=GIB)
FAILURES = ("internal", "timeout", "SILENT LOSS", "NOT DRAWN")


@click.command()
@click.argument("count", type=click.IntRange(min=1))
@click.option("--first", default=0, show_default=True, help="The number of the first input.")
@click.option("--keep", type=click.Path(path_type=Path), help="Where inputs that fail, crash or lose kernels are kept.")
def main(count: int, first: int, keep: Path | None) -> None:
    """Read COUNT damaged reports; exit 1 where one has an outcome that must not be."""
    outcomes: Counter[tuple[str, str]] = Counter()
    for number, mutation, outcome, data in _outcomes(range(first, first + count)):
        outcomes[mutation, outcome] += 1
        kind = outcome.split(":")[0]
        if keep is not None and kind in (*FAILURES, "crashed", "memory"):
            keep.mkdir(parents=True, exist_ok=True)
            keep.joinpath(f"{number}-{mutation}-{kind.replace(' ', '-')}.ncu-rep").write_bytes(data)
        if kind in FAILURES:
            click.echo(f"input {number} ({mutation}): {outcome}", err=True)
        if (number - first) % 500 == 499:
            click.echo(f"{number - first + 1} inputs read", err=True)
    _report(outcomes)
    sys.exit(any(outcome.split(":")[0] in FAILURES for _, outcome in outcomes))


def _outcomes(numbers: range) -> Iterator[tuple[int, str, str, bytes]]:
    reports = [_bytes(FIXTURES / name) for name in SEEDS]
    with tempfile.TemporaryDirectory() as folder, IsolatedReader(LIMITS) as reader:
        file = Path(folder) / "damaged.ncu-rep"
        whole = [_read(reader, file, data).document() for data in reports]
        for number in numbers:
            mutation, which, data = damaged(number, reports)
            outcome = _read(reader, file, data)
            yield number, mutation, _word(outcome, whole[which], same=data == reports[which]), data


def _bytes(path: Path) -> bytes:
    plain = unpacked(path)  # the copy lives as long as this object
    return plain.path.read_bytes()


def _read(reader: IsolatedReader, file: Path, data: bytes) -> Outcome:
    file.write_bytes(data)
    return reader.diagnose(file)


def _word(outcome: Outcome, whole: Mapping[str, Any], *, same: bool) -> str:
    """What became of the input, in a word or two; for a diagnosis, by comparison with that of the whole report."""
    if outcome.ending is Ending.INTERNAL:
        return f"internal: {outcome.message}"
    if not outcome.is_diagnosed:
        return f"{outcome.ending}: {outcome.error}"
    document = outcome.document()
    try:
        every_output(outcome.diagnosis())
    except Exception as error:  # whatever it is, it is what this looks for
        return f"NOT DRAWN: {error!r}"
    if same:
        return "not damaged"
    if _damage_is_said(document["warnings"], whole["warnings"]):
        return "diagnosed, damage said"
    if len(document["kernels"]) < len(whole["kernels"]):
        return "SILENT LOSS"
    if document["kernels"] == whole["kernels"]:
        return "diagnosed, same kernels (what was hit is not used)"
    return "diagnosed, other values"


def _damage_is_said(warnings: Sequence[str], before: Sequence[str]) -> bool:
    return any("damaged" in warning for warning in warnings if warning not in before)


def _report(outcomes: Counter[tuple[str, str]]) -> None:
    by_outcome: Counter[str] = Counter()
    for (_, outcome), number in outcomes.items():
        by_outcome[outcome] += number
    for outcome, number in by_outcome.most_common():
        parts = ", ".join(f"{m} {n}" for (m, o), n in sorted(outcomes.items()) if o == outcome)
        click.echo(f"{number:>7,}  {outcome}   ({parts})")


if __name__ == "__main__":
    main()

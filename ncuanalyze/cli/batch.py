"""``ncuanalyze batch``: thousands of reports to one dataset of kernels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.storable import storable_path
from ncuanalyze.errors import InvalidOption

if TYPE_CHECKING:
    from ncuanalyze.batch.engine import Engine, ReaderSettings
    from ncuanalyze.batch.run import BatchResult

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
LEAST_MEMORY_BYTES, MOST_MEMORY_BYTES = 16 << 20, 1 << 50
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


@click.command("batch")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    callback=storable_path,
    required=True,
    help="The folder of the dataset, new or old.",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes (default: one a core; four at most)."
)
@click.option(
    "--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Where reports are read."
)
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler (tcp://HOST:PORT); without, a local cluster.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=86_400),
    default=120,
    show_default=True,
    help="Seconds for a report.",
)
@click.option(
    "--memory-limit", metavar="SIZE", help="Memory for a report, as 2GiB (default: 1 GiB, or 16 times a larger file)."
)
@click.option("--rules", "rules_folder", type=click.Path(path_type=Path), metavar="DIR", help="Add your own rules.")
@click.option("--thresholds", type=click.Path(path_type=Path), metavar="FILE", help="Your own thresholds (TOML).")
@click.option("--keep", is_flag=True, help="Keep reports of earlier runs that PATHS do not name.")
def command(paths: tuple[str, ...], output: Path, keep: bool, **choices: object) -> None:
    """Diagnose every report that PATHS name, and keep one row a kernel.

    PATHS are reports, folders, globs, zip or tar archives, or URLs (s3://bucket/nightly). OUTPUT gets kernels/
    (Parquet), diagnoses/ (JSON lines), reports.jsonl, errors.jsonl and index.html. A second run reads only what
    changed; a file that cannot be read is listed in errors.jsonl and stops nothing.

    \b
    ncuanalyze batch nightly/ -o dataset
    ncuanalyze batch 'nightly/2026-*/*.ncu-rep' uploads.zip -o dataset --jobs 8
    ncuanalyze query dataset headroom
    """
    from ncuanalyze.batch.run import run_batch
    from ncuanalyze.cli.batch_progress import progress
    from ncuanalyze.cli.stopping import interrupted_when_told

    settings = _settings(choices)
    try:
        with interrupted_when_told(), progress() as watch:
            result = run_batch(
                paths, output, engine=_engine(choices, settings), settings=settings, keep=keep, watch=watch
            )
    except KeyboardInterrupt:
        click.echo("stopped; the same command goes on from here", err=True)
        raise
    click.echo(_said(result, output), err=True)


def _settings(choices: dict[str, object]) -> ReaderSettings:
    from ncuanalyze.batch.engine import ReaderSettings
    from ncuanalyze.batch.limits import Limits

    memory, timeout = choices["memory_limit"], float(str(choices["timeout"]))
    if timeout != timeout:  # NaN passes every range
        raise InvalidOption("--timeout: nan is no time", hint="Give seconds.")
    rules, thresholds = choices["rules_folder"], choices["thresholds"]
    return ReaderSettings(
        limits=Limits(timeout_s=timeout, memory_bytes=_memory_bytes(memory) if isinstance(memory, str) else None),
        rules_folder=rules.absolute() if isinstance(rules, Path) else None,
        thresholds=thresholds.absolute() if isinstance(thresholds, Path) else None,
    )


def _engine(choices: dict[str, object], settings: ReaderSettings) -> Engine:
    from ncuanalyze.batch.engine import require_pyarrow
    from ncuanalyze.batch.local_engine import LocalEngine

    require_pyarrow()
    scheduler, jobs = choices["scheduler"], _jobs(choices["jobs"])
    if choices["engine"] == "dask":
        from ncuanalyze.batch.dask_engine import DaskEngine

        return DaskEngine(scheduler if isinstance(scheduler, str) else None, jobs, settings)
    if scheduler is not None:
        raise InvalidOption("--scheduler needs --engine dask", hint="Add --engine dask, or leave --scheduler out.")
    return LocalEngine(jobs, settings)


def _jobs(chosen: object) -> int:
    from ncuanalyze.batch.local_engine import MOST_JOBS_PER_CORE, usable_cores

    cores = usable_cores()
    if not isinstance(chosen, int):
        return cores
    most = MOST_JOBS_PER_CORE * cores
    if chosen > most:
        click.echo(f"--jobs {chosen}: {most} are started, {MOST_JOBS_PER_CORE} for each usable core", err=True)
    return min(chosen, most)


def _memory_bytes(text: str) -> int:
    size = parse_size(text)
    if not LEAST_MEMORY_BYTES <= size <= MOST_MEMORY_BYTES:
        raise InvalidOption(f"--memory-limit: no report is read in {text}", hint="Give 16 MiB to 1,024 TiB.")
    return size


def parse_size(text: str) -> int:
    """Bytes of a size as ``512MiB``, ``2GB`` or ``1.5g`` (powers of 1024 all). Raises InvalidInput."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise InvalidOption(f"--memory-limit: {text!r} is no size", hint="Write it as 512MiB or 2GiB.")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def _said(result: BatchResult, output: Path) -> str:
    errors = f", {result.errors:,} not read (see {output / 'errors.jsonl'})" if result.errors else ""
    return (
        f"{result.reports:,} reports, {result.kernels:,} kernels{errors}: {result.read:,} read, "
        f"{result.reused:,} unchanged\nwrote {output / 'index.html'}"
    )

"""``ncuanalyze compare BASE NEW``: before and after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.error_line import tell
from ncuanalyze.cli.saving import write as write_output
from ncuanalyze.cli.storable import storable_word
from ncuanalyze.cli.usage import read_from_the_command_line
from ncuanalyze.render.comparison import COMPARISON_FORMATS, render_comparison

if TYPE_CHECKING:
    from ncuanalyze.cli.side import Picks
    from ncuanalyze.compare import Comparison, Options

FAILURES = ("never", "slower", "inconclusive")


@click.command("compare")
@click.argument("base")
@click.argument("new", required=False)
@click.option("-f", "--format", "form", type=click.Choice(list(COMPARISON_FORMATS)), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--save", multiple=True, metavar="FORMAT=FILE", help="Write a further format to a file (repeatable).")
@click.option("--overwrite", is_flag=True, help="Overwrite output files.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1000, max_open=True),
    metavar="PCT",
    help="The change that counts (default 3).",
)
@click.option("--force", is_flag=True, help="Judge by time even where the runs cannot be compared.")
@click.option("--pair", multiple=True, metavar="OLD=NEW", help="Compare these two kernels (repeatable).")
@click.option("--base-kernel", metavar="REGEX", help="With --new-kernel: a pair of kernels.")
@click.option("--new-kernel", metavar="REGEX", help="With --base-kernel: a pair of kernels.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--nvtx", metavar="RANGE", help="Only launches inside this NVTX range.")
@click.option(
    "--branch", callback=storable_word, metavar="NAME", help="Of a history as BASE: only runs of this branch."
)
@click.option(
    "--last", type=click.IntRange(min=1), default=10, show_default=True, help="Of a history: the last N runs."
)
@click.option("--source-root", type=click.Path(path_type=Path), metavar="DIR", help="Name source files from here.")
@click.option(
    "--fail-on",
    type=click.Choice(FAILURES),
    default="never",
    help="Exit 3 if a kernel is slower, or not told.",
)
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
@click.option("-v", "--verbose", is_flag=True, help="Every kernel, counter and finding.")
def command(base: str, new: str | None, form: str, output: Path | None, **choices: object) -> None:
    """Say which kernels became faster or slower beyond noise, whether fairly, and why.

    BASE and NEW are reports, `ncu --csv` exports, saved diagnoses (JSON) or comparisons, or folders of
    them; BASE may be a history file. With a pair of kernels, NEW defaults to BASE.

    \b
    ncuanalyze compare before.ncu-rep after.ncu-rep
    ncuanalyze compare report.ncu-rep --pair gemm_naive=gemm_tiled
    ncuanalyze compare history.sqlite new.ncu-rep --branch main --last 10
    """
    from ncuanalyze.cli.saving import parse_saves, save_all

    saves = parse_saves(_texts(choices["save"]), COMPARISON_FORMATS)
    comparison = _comparison(base, new, choices)
    color, overwrite = choices["color"], bool(choices["overwrite"])
    text = _rendered(comparison, form, bool(choices["verbose"]), color if isinstance(color, bool) else None, output)
    write_output(text, output, overwrite=overwrite)
    save_all(saves, lambda kind: render_comparison(comparison, kind), overwrite=overwrite)
    _gate(comparison, str(choices["fail_on"]))


def _comparison(base: str, new: str | None, choices: dict[str, object]) -> Comparison:
    from ncuanalyze.cli.side import read_side
    from ncuanalyze.compare import compare

    with read_from_the_command_line():
        options = _options(base, new, choices)
    if new is None and (saved := _saved(base)) is not None:
        return _named(saved, choices["source_root"])
    if new is None and not options.pairs:
        raise click.UsageError("NEW is missing; one report alone needs --pair OLD=NEW")
    picks = _picks(choices)
    old = read_side(base, picks)
    fresh = old if new is None or new == base else read_side(new, picks)
    return _named(compare(old, fresh, options), choices["source_root"])


def _saved(path: str) -> Comparison | None:
    """A comparison that was saved as JSON."""
    import json

    from ncuanalyze.compare import SCHEMA, comparison_from_dict

    if not path.endswith(".json"):
        return None
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    ours = isinstance(data, dict) and data.get("schema") == SCHEMA
    return comparison_from_dict(data) if ours else None


def _named(comparison: Comparison, root: object) -> Comparison:
    if not isinstance(root, Path):
        return comparison
    from ncuanalyze.cli.source_names import named_from

    return named_from(root, comparison)


def _options(base: str, new: str | None, choices: dict[str, object]) -> Options:
    from ncuanalyze.compare import Options, Pair, parse_pair

    pairs = [parse_pair(text) for text in _texts(choices["pair"])]
    old, fresh = choices["base_kernel"], choices["new_kernel"]
    if isinstance(old, str) and isinstance(fresh, str):
        pairs.append(Pair(old, fresh))
    elif old or fresh:
        raise click.UsageError("--base-kernel and --new-kernel go together")
    threshold = choices["threshold"]
    return Options(
        threshold_pct=threshold if isinstance(threshold, float) else None,
        force=bool(choices["force"]),
        pairs=tuple(pairs),
        base_label=Path(base).name,
        new_label=Path(new or base).name,
    )


def _picks(choices: dict[str, object]) -> Picks:
    from ncuanalyze.cli.side import Picks

    kernel, nvtx, branch, last = (choices[name] for name in ("kernel", "nvtx", "branch", "last"))
    return Picks(
        kernel=kernel if isinstance(kernel, str) else None,
        nvtx=nvtx if isinstance(nvtx, str) else None,
        branch=branch if isinstance(branch, str) else None,
        last=last if isinstance(last, int) else 10,
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, tuple) else ()


def _rendered(comparison: Comparison, form: str, verbose: bool, color: bool | None, output: Path | None) -> str:
    if form != "text":
        return render_comparison(comparison, form)
    from ncuanalyze.render.comparison_text import render_text
    from ncuanalyze.render.terminal import Style

    return render_text(comparison, Style.of_terminal(color=color, verbose=verbose, to_file=output is not None))


def _gate(comparison: Comparison, fail_on: str) -> None:
    from ncuanalyze.cli.main import EXIT_GATE
    from ncuanalyze.compare import Verdict

    bad = {
        "never": (),
        "slower": (Verdict.SLOWER,),
        "inconclusive": (Verdict.SLOWER, Verdict.INCONCLUSIVE),
    }[fail_on]
    found = [kernel for kernel in comparison.kernels if kernel.verdict in bad]
    if found:
        tell(f"{len(found)} kernels are slower or cannot be told")
        raise click.exceptions.Exit(EXIT_GATE)

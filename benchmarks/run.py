"""Measures ncuanalyze against a bare script that reads the same metrics from the same files, in the same run.

`run.py [PART ...] [--rounds N] [--reports N] [--rows N] [--write PAGE]`; the parts are start, one, ten, csv, batch and
query (default: all).
Prints markdown tables; `--write` puts each between its markers `<!-- table NAME -->` and `<!-- end -->` of a page.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from importlib import metadata
from pathlib import Path

from inputs import MANY_CSV, ONE_KERNEL, TEN_KERNELS, THREE_KERNELS, many_reports, metrics_read, unpacked
from memory import watched
from timing import Command, Runs, in_turn

PYTHON = sys.executable
OURS = (PYTHON, "-m", "ncuanalyze")
BARE = (PYTHON, Path(__file__).with_name("bare.py"))


FIGURES: dict[str, float] = {}
"""What the parts measured, by the name of the budget it is held against."""
BUDGETS = {
    "one kernel, time over the bare script's": (1.3, "{:.2f}"),
    "one kernel, processor time over the bare script's": (1.3, "{:.2f}"),
    "one kernel, peak memory over the bare script's": (1.15, "{:.2f}"),
    "a further kernel as text, beyond the bare script, ms": (15.0, "{:.1f}"),
    "a further kernel as HTML, beyond the bare script, ms": (25.0, "{:.1f}"),
    "raw page, time over the report's": (1.0, "{:.2f}"),
    "batch, memory at 90 % of the run over that at 10 %": (1.15, "{:.2f}"),
}


def cells(*values: object) -> str:
    return "| " + " | ".join(str(value) for value in values) + " |"


def head(*names: str) -> list[str]:
    return [cells(*names), cells(*["---"] * len(names))]


def against(runs: dict[str, Runs], base: str) -> list[str]:
    """A row a command: medians, and ratios to the base of the same rounds."""
    lines = head("command", "wall, ms", "ratio", "processor, ms", "ratio", "peak memory, MiB", "ratio")
    for name, run in runs.items():
        wall, cpu, peak = run.over(runs[base])
        lines.append(
            cells(
                name,
                f"{run.wall_ms:.0f}",
                f"{wall:.2f}",
                f"{run.cpu_ms:.0f}",
                f"{cpu:.2f}",
                f"{run.peak:.0f}",
                f"{peak:.2f}",
            )
        )
    return lines


def start(folder: Path, options: argparse.Namespace) -> list[str]:
    commands: dict[str, Command] = {
        "`python -c pass`": (PYTHON, "-c", "pass"),
        "`python -c 'import ncu_report'`": (PYTHON, "-c", "import ncu_report"),
        "`ncuanalyze --version`": (*OURS, "--version"),
        "`ncuanalyze --help`": (*OURS, "--help"),
    }
    return against(in_turn(commands, options.rounds), "`python -c 'import ncu_report'`")


def one(folder: Path, options: argparse.Namespace) -> list[str]:
    report = unpacked(ONE_KERNEL, folder)
    names = metrics_read([report], folder / "names.txt")
    commands: dict[str, Command] = {
        "bare script": (*BARE, names, report),
        "`ncuanalyze REPORT`": (*OURS, report),
        "`--format json`": (*OURS, report, "--format", "json"),
        "`--format html`": (*OURS, report, "--format", "html"),
    }
    runs = in_turn(commands, options.rounds)
    wall, cpu, peak = runs["`ncuanalyze REPORT`"].over(runs["bare script"])
    FIGURES["one kernel, time over the bare script's"] = wall
    FIGURES["one kernel, processor time over the bare script's"] = cpu
    FIGURES["one kernel, peak memory over the bare script's"] = peak
    return against(runs, "bare script")


def ten(folder: Path, options: argparse.Namespace) -> list[str]:
    single, many = unpacked(ONE_KERNEL, folder), unpacked(TEN_KERNELS, folder)
    names = metrics_read([single, many], folder / "names.txt")
    all_names = metrics_read([single, many], folder / "all_names.txt", "html")
    forms: dict[str, Callable[[Path], Command]] = {
        "bare script, metrics of the text": lambda report: (*BARE, names, report),
        "text": lambda report: (*OURS, report),
        "bare script, metrics of the page": lambda report: (*BARE, all_names, report),
        "HTML": lambda report: (*OURS, report, "--format", "html"),
    }
    runs = in_turn(
        {f"{name} {count}": make(file) for name, make in forms.items() for count, file in ((1, single), (10, many))},
        options.rounds,
    )
    lines = head("processor, ms", "1 kernel", "10 kernels", "a further kernel", "beyond the bare script")
    bare = 0.0
    for name in forms:
        first, all_ten = runs[f"{name} 1"].cpu_ms, runs[f"{name} 10"].cpu_ms
        further = (all_ten - first) / 9
        bare = further if name.startswith("bare") else bare
        FIGURES[f"a further kernel as {name}, beyond the bare script, ms"] = further - bare
        lines.append(cells(name, f"{first:.0f}", f"{all_ten:.0f}", f"{further:.1f}", f"{further - bare:.1f}"))
    return lines


def csv(folder: Path, options: argparse.Namespace) -> list[str]:
    lines = head("report", "as .ncu-rep, ms", "as raw page, ms", "ratio", "as details page, ms", "ratio")
    for name, kernels in ((ONE_KERNEL, 1), (THREE_KERNELS, 3)):
        forms = {
            kind: unpacked(name.replace("ncu-rep", kind), folder) for kind in ("ncu-rep", "raw.csv", "details.csv")
        }
        runs = in_turn({kind: (*OURS, file) for kind, file in forms.items()}, options.rounds)
        raw, details = (runs[kind].over(runs["ncu-rep"])[0] for kind in ("raw.csv", "details.csv"))
        FIGURES["raw page, time over the report's"] = max(raw, FIGURES.get("raw page, time over the report's", 0.0))
        took = [f"{runs[kind].wall_ms:.0f}" for kind in forms]
        label = f"{kernels} kernel{'s' if kernels > 1 else ''}"
        lines.append(cells(label, took[0], took[1], f"{raw:.2f}", took[2], f"{details:.2f}"))
    return lines


IN_ONE_PROCESS = 250
"""The bare script keeps what it loads; a thousand reports in one process took 14 GB."""
SHARED = 50


def batch(folder: Path, options: argparse.Namespace) -> list[str]:
    (folder / "many").mkdir()
    reports = many_reports(options.reports, folder / "many")
    names = metrics_read(reports[:4], folder / "names.txt")
    listed = folder / "reports.txt"
    listed.write_text("".join(f"{report}\n" for report in reports))
    some = reports[:IN_ONE_PROCESS]
    runs: dict[str, tuple[int, Command]] = {
        f"bare script, the first {len(some)} in one process": (len(some), [*BARE, names, *some]),
        f"bare script, {SHARED} a process": (len(reports), ["xargs", "-a", listed, "-n", str(SHARED), *BARE, names]),
        "`batch --jobs 1`": (len(reports), [*OURS, "batch", folder / "many", "-o", folder / "out1", "--jobs", "1"]),
        "`batch --jobs 2`": (len(reports), [*OURS, "batch", folder / "many", "-o", folder / "out2", "--jobs", "2"]),
        "`batch` again": (len(reports), [*OURS, "batch", folder / "many", "-o", folder / "out2", "--jobs", "2"]),
    }
    size = sum(report.stat().st_size for report in reports) / 1e9
    lines = head(
        f"{len(reports):,} reports, {size:.2f} GB",
        *("wall, s", "reports/s", "processor, ms a report", "MiB at 10 %", "at 50 %", "at 90 %", "peak"),
    )
    for name, (count, command) in runs.items():
        print(name, file=sys.stderr)
        run = watched(command)
        levels = [f"{run.at(share):,.0f}" for share in (0.1, 0.5, 0.9)]
        if "--jobs 1" in name:
            FIGURES["batch, memory at 90 % of the run over that at 10 %"] = run.at(0.9) / run.at(0.1)
        cpu = 1000 * run.cpu_s / count
        lines.append(
            cells(name, f"{run.wall_s:.1f}", f"{count / run.wall_s:.1f}", f"{cpu:.0f}", *levels, f"{run.peak:,.0f}")
        )
    return [*lines, "", *sizes(folder / "out2")]


def sizes(dataset: Path) -> list[str]:
    """What the dataset takes on disk."""
    import pyarrow.parquet as pq

    kernels = sum(pq.read_metadata(file).num_rows for file in (dataset / "kernels").iterdir())
    lines = head(f"{kernels:,} kernels", "MB", "bytes a kernel")
    for name in ("kernels", "diagnoses", "cache"):
        size = sum(file.stat().st_size for file in (dataset / name).rglob("*") if file.is_file())
        lines.append(cells(f"`{name}/`", f"{size / 1e6:.1f}", f"{size / kernels:,.0f}"))
    return lines


def query(folder: Path, options: argparse.Namespace) -> list[str]:
    from rows import multiply

    originals = [unpacked(name, folder) for name in (ONE_KERNEL, THREE_KERNELS, TEN_KERNELS, *MANY_CSV)]
    subprocess.run([*OURS, "batch", *originals, "-o", folder / "small"], check=True, stderr=subprocess.DEVNULL)
    size = multiply(folder / "small" / "kernels" / "part-00000.parquet", options.rows, folder / "large")
    questions = (["slowest"], ["moved", "--since", "2026-02-01"], ["causes", "--by", "folder"], ["headroom"])
    lines = head(
        f"{options.rows:,} kernels, {size / 1e9:.2f} GB of Parquet", "wall, s", "processor, s", "peak memory, MiB"
    )
    for question in questions:
        run = watched([*OURS, "query", folder / "large", *question])
        lines.append(cells(f"`{' '.join(question)}`", f"{run.wall_s:.1f}", f"{run.cpu_s:.1f}", f"{run.peak:,.0f}"))
    return lines


PARTS = {"start": start, "one": one, "ten": ten, "csv": csv, "batch": batch, "query": query}


def budgets() -> list[str]:
    """Each budget of which something was measured."""
    lines = head("budget", "at most", "measured", "met")
    for name, (limit, form) in BUDGETS.items():
        if name in FIGURES:
            measured = FIGURES[name]
            lines.append(cells(name, f"{limit:g}", form.format(measured), "yes" if measured <= limit else "no"))
    return lines


def machine() -> list[str]:
    """Where the figures come from."""
    model = next(
        (line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), ":?"
    )
    load = os.getloadavg()[0]
    return [
        f"{model.split(':')[1].strip()}, {len(os.sched_getaffinity(0))} cores (load {load:.1f} when this ended); "
        f"Python {platform.python_version()}, ncu-report {metadata.version('ncu-report')}, "
        f"ncuanalyze {metadata.version('ncuanalyze')}; {date.today().isoformat()}."
    ]


def write(page: Path, tables: dict[str, list[str]]) -> None:
    """Put each table between its markers."""
    text = page.read_text(encoding="utf-8")
    for name, lines in tables.items():
        pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        filled = "\n".join(lines)
        text = pattern.sub(lambda match, filled=filled: f"{match[1]}{filled}\n{match[2]}", text)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--reports", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    compiled = tempfile.TemporaryDirectory(prefix="ncuanalyze-bench-")
    os.environ["PYTHONPYCACHEPREFIX"] = compiled.name  # byte code is there, as in an installed package
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    tables = {}
    for name in options.parts or PARTS:
        print(name, file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="ncuanalyze-bench-") as folder:
            tables[name] = PARTS[name](Path(folder), options)
        print(f"\n{name}\n" + "\n".join(tables[name]), flush=True)
    tables |= {"budgets": budgets(), "machine": machine()}
    print(*tables["budgets"], *tables["machine"], sep="\n")
    if options.write is not None:
        write(options.write, tables)


if __name__ == "__main__":
    main()

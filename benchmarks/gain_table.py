"""Predicted against measured gains as markdown tables, and the findings that each generation of GPUs gets.

`gain_table.py [--suite NAME=FOLDER ...] [--generations FOLDER] [--write PAGE]`

A suite is a folder with labels.json and reports; its parts (`split` in the labels) become tables of their own. Without
`--write` the tables are printed; with it, each goes between its markers `<!-- table NAME -->` and `<!-- end -->` of a
page. Tables whose folder is not there keep what the page has.
"""

import argparse
import json
import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import KernelDiagnosis, NvidiaResult
from ncuanalyze.load import load

HERE = Path(__file__).parent
NEAR = 1.5  # a prediction within this factor of the measured gain is right
HEAD = "| kernel | cause that its fix removes | predicted | measured | off by | ncu's largest estimate |"
Label = dict[str, Any]


@cache
def kernels(report: Path) -> tuple[KernelDiagnosis, ...]:
    return diagnose(load(report)).kernels


def report_of(folder: Path, row: Label) -> Path:
    """A part's reports are in a folder of its name, those of the first part and of a suite without parts in reports."""
    part = folder / row.get("split", "reports")
    return (part if part.is_dir() else folder / "reports") / f"{row['report']}.xz"


def labelled(folder: Path, row: Label) -> KernelDiagnosis:
    """The kernel that a label speaks of."""
    return next(
        kernel
        for kernel in kernels(report_of(folder, row))
        if (row["nvtx"] in kernel.kernel.nvtx if "nvtx" in row else kernel.kernel.name == row["kernel"])
    )


def predicted(kernel: KernelDiagnosis, cause: str) -> tuple[float | None, str]:
    """The estimate for a cause, and the cell that shows it with its interval."""
    for finding in kernel.findings:
        if finding.id == cause and finding.speedup is not None:
            gain = finding.speedup
            return gain.estimate, f"{gain.estimate:.3g}x ({gain.low:.3g}-{gain.high:.3g})"
        if finding.id == cause:
            return None, "named, not promised"
    return None, "not found"


def ncu_says(kernel: KernelDiagnosis) -> tuple[float | None, str]:
    """ncu's rule with the largest estimate for the kernel, else for a part of it; as a factor."""
    promises = [result for result in kernel.nvidia_results if result.speedup_pct]
    if not promises:
        return None, "none"
    best = max(promises, key=_weight)
    factor = 1 / (1 - min(best.speedup_pct or 0.0, 99.9) / 100)
    of = " of a part" if best.speedup_scope == "local" else ""
    return factor, f"{factor:.3g}x{of}: {best.title or best.rule}"


def _weight(result: NvidiaResult) -> tuple[bool, float]:
    return result.speedup_scope == "global", result.speedup_pct or 0.0


def off(estimate: float | None, measured: float) -> float | None:
    """The factor, 1 or more, between an estimate and the measured gain."""
    return None if estimate is None else 2 ** abs(math.log2(estimate / measured))


def gain_table(folder: Path, rows: list[Label]) -> str:
    """One line a planted kernel, then how many predictions are near."""
    lines, ours, theirs = [HEAD, "| --- | --- | --- | --- | --- | --- |"], [], []
    for row in rows:
        kernel, measured = labelled(folder, row), row["speedup"]
        estimate, cell = predicted(kernel, row["fix_cause"])
        ncu, ncu_cell = ncu_says(kernel)
        ours.append(off(estimate, measured))
        theirs.append(off(ncu, measured))
        distance = f"{ours[-1]:.2f}x" if ours[-1] is not None else "-"
        name = row.get("kernel") or row["nvtx"]
        cells = (f"`{name}`", f"`{row['fix_cause']}`", cell, f"{measured:.3g}x", distance, ncu_cell)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Within a factor of {NEAR}: {near(ours)}; ncu's largest estimate {near(theirs)}."])


def near(factors: list[float | None]) -> str:
    known = [factor for factor in factors if factor is not None]
    median = f", median factor off {statistics.median(known):.2f} where there is an estimate" if known else ""
    return f"{sum(factor <= NEAR for factor in known)} of {len(factors)}{median}"


def tables_of_suite(name: str, folder: Path) -> Iterator[tuple[str, str]]:
    """A table for each part of a suite that has planted kernels with a fix."""
    parts: dict[str, list[Label]] = defaultdict(list)
    for row in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        if row["fixed_by"] and row["speedup"] and "at_roofline" not in row["cause"]:
            parts[row.get("split", name)].append(row)
    for part, rows in parts.items():
        yield part, gain_table(folder, rows)


def generations(folder: Path) -> str:
    """Findings by compute capability, and the bounds that agree with ncu's stored verdict."""
    found: dict[str, list[KernelDiagnosis]] = defaultdict(list)
    gpus: dict[str, set[str]] = defaultdict(set)
    for row in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        found[row["cc"]] += kernels(folder / row["file"])
        gpus[row["cc"]].add(row["device"])
    lines = ["| compute capability | GPUs | kernels | bounds | findings | most often |", "| --- " * 6 + "|"]
    for capability, items in found.items():
        ids = Counter(finding.id for kernel in items for finding in kernel.findings)
        bounds = Counter(kernel.bound.value for kernel in items)
        cells = (
            capability,
            len(gpus[capability]),
            len(items),
            ", ".join(f"{count} {bound}" for bound, count in bounds.most_common()),
            sum(ids.values()),
            ", ".join(f"`{name}` {count}" for name, count in ids.most_common(3)) or "none",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def write(page: Path, tables: dict[str, str]) -> None:
    """Put each table between its markers."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        pattern = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)
        if not count:
            raise SystemExit(f"{page} has no marker <!-- table {name} -->")
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicted and measured gains as markdown.")
    parser.add_argument("--suite", action="append", metavar="NAME=FOLDER", help="default: planted=benchmarks/planted")
    parser.add_argument("--generations", type=Path, metavar="FOLDER", help="index.json and one CSV a kernel")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="a markdown page with markers")
    options = parser.parse_args()
    tables: dict[str, str] = {}
    for suite in options.suite or [f"planted={HERE / 'planted'}"]:
        name, _, folder = suite.partition("=")
        tables |= dict(tables_of_suite(name, Path(folder)))
    if options.generations:
        tables["generations"] = generations(options.generations)
    if options.write:
        write(options.write, tables)
    else:
        print("\n\n".join(f"{name}\n\n{table}" for name, table in tables.items()))


if __name__ == "__main__":
    main()

"""Score `ncuanalyze` on labelled kernels: `score.py [--split tune|held_out|library|applied|unseen] [-v]`.

Counts, for the kernels of each part: bound and limiter as labelled, a right cause first (and among the
first three), at_roofline recognised with no finding above 1.25x, and the gain of the planted cause within 1.5x of
the measured one. -v prints each miss. A figure, not a gate: the exit status is 0.
"""

import argparse
import json
import math
import shlex
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
APPLIED = HERE.parent / "applied"
UNSEEN = HERE.parent / "unseen"
FOLDERS = {
    "tune": HERE / "reports",
    "held_out": HERE / "held_out",
    "library": HERE / "library",
    "applied": APPLIED / "reports",
    "unseen": UNSEEN / "reports",
}
LOUD = 1.25  # a promise above this at a roof is a false alarm
NEAR = 1.5  # a gain within this factor of the measured one is right


@dataclass
class Score:
    right: Counter = field(default_factory=Counter)
    asked: Counter = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    false_alarms: int = 0
    factors_off: list[float] = field(default_factory=list)

    def mark(self, what: str, ok: bool, text: str) -> None:
        self.asked[what] += 1
        self.right[what] += bool(ok)
        if not ok:
            self.misses.append(f"{what:12s} {text}")

    def summary(self) -> dict:
        figures = {what: f"{self.right[what]}/{self.asked[what]}" for what in self.asked}
        off = round(2 ** statistics.median(self.factors_off), 2) if self.factors_off else None
        return {**figures, "false_alarms": self.false_alarms, "median_factor_off": off}


@cache
def kernels(command: str, report: Path) -> list[dict]:
    """The kernels of ncuanalyze's JSON for a report."""
    done = subprocess.run([*shlex.split(command), str(report), "--format", "json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{report.name}: exit {done.returncode}: {done.stderr[-400:]}")
    return json.loads(done.stdout)["kernels"]


def is_labelled(kernel: dict, row: dict) -> bool:
    if "nvtx" in row:
        return row["nvtx"] in (kernel["kernel"].get("nvtx") or [])
    return kernel["kernel"]["name"].split("(")[0] == row["kernel"]


def gains(kernel: dict) -> dict[str, float]:
    """The promised gain of each finding, in rank order; 1 where none is promised."""
    found: dict[str, float] = {}
    for finding in kernel["findings"]:
        found.setdefault(finding["id"], (finding.get("speedup") or {}).get("estimate") or 1.0)
    return found


def score_cause(score: Score, row: dict, kernel: dict, found: dict[str, float], who: str) -> None:
    first = list(found)[:1]
    if "at_roofline" in row["cause"]:
        others = {cause: gain for cause, gain in found.items() if cause not in row["cause"]}
        loud = [f"{cause} {gain:.2f}x" for cause, gain in others.items() if gain > LOUD]
        named = bool(first) and first[0] in row["cause"]
        score.false_alarms += len(loud)
        right = (kernel.get("at_roofline") and not loud) or named
        score.mark("at_roofline", right, f"{who}: at_roofline={kernel.get('at_roofline')} loud={loud}")
    elif row["cause"]:
        right = bool(first) and first[0] in row["cause"]
        score.mark("cause", right, f"{who}: {list(found)[:4]} want {row['cause']}")
        score.mark("cause_top3", bool(set(list(found)[:3]) & set(row["cause"])), f"{who}: {list(found)}")


def score_gain(score: Score, row: dict, found: dict[str, float], who: str) -> None:
    if not row["fixed_by"] or "at_roofline" in row["cause"]:
        return
    causes = row["fix_cause"] if isinstance(row["fix_cause"], list) else [row["fix_cause"]]
    predicted = next((found[cause] for cause in causes if cause in found), None)
    if predicted is None:
        score.mark("gain", False, f"{who}: {causes} not found (measured {row['speedup']:.2f}x)")
        return
    off = abs(math.log2(predicted / row["speedup"]))
    score.factors_off.append(off)
    score.mark("gain", off <= math.log2(NEAR), f"{who}: {predicted:.2f}x, measured {row['speedup']:.2f}x")


def score_row(score: Score, row: dict, command: str) -> None:
    """Compare one labelled kernel with what the command says of it."""
    who = f"{row['split']}/{row.get('kernel') or row.get('nvtx')}"
    report = FOLDERS[row["split"]] / f"{row['report']}.xz"
    found_kernels = [k for k in kernels(command, report) if is_labelled(k, row)]
    if not found_kernels:
        score.mark("bound", False, f"{who}: not in the output")
        return
    kernel = found_kernels[0]
    found = gains(kernel)
    if row["bound"]:
        score.mark("bound", kernel["bound"] in row["bound"], f"{who}: {kernel['bound']} not in {row['bound']}")
    if row["limiter"]:
        limiter = kernel.get("limiter")
        score.mark("limiter", limiter in row["limiter"], f"{who}: {limiter} not in {row['limiter']}")
    score_cause(score, row, kernel, found, who)
    score_gain(score, row, found, who)


def main() -> None:
    parser = argparse.ArgumentParser(description="Score ncuanalyze on labelled kernels.")
    parser.add_argument("--split", choices=FOLDERS, help="one part only")
    parser.add_argument("--command", default=f"{sys.executable} -m ncuanalyze", help="the program to score")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each miss")
    options = parser.parse_args()
    rows = [row for folder in (HERE, APPLIED, UNSEEN) for row in json.loads((folder / "labels.json").read_text())]
    for split in [options.split] if options.split else FOLDERS:
        score = Score()
        for row in rows:
            if row["split"] == split:
                score_row(score, row, options.command)
        if options.verbose and score.misses:
            print(*(f"miss {miss}" for miss in score.misses), sep="\n")
        print(split, json.dumps(score.summary()))


if __name__ == "__main__":
    main()

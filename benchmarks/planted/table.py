"""Print the table of predicted and measured gains as markdown: what ncuanalyze says, what happened, what ncu says."""

import argparse
import json
import sys

from score import FOLDERS, HERE, gains, is_labelled, kernels


def ncu_advice(kernel: dict) -> str:
    """The rule of ncu with the largest estimate for the kernel, else for a part of it (local).

    Its percentage is the share of the time that it would save.
    """
    rules = [r for r in kernel["nvidia_results"] if r.get("speedup_pct")]
    if not rules:
        return "none"
    best = max(rules, key=lambda rule: (rule["speedup_scope"] == "global", rule["speedup_pct"]))
    saved = min(best["speedup_pct"], 99.9) / 100
    local = " (local)" if best["speedup_scope"] == "local" else ""
    return f"{best['title'] or best['rule']}, {1 / (1 - saved):.2f}x{local}"


def promise(kernel: dict, cause: str) -> str:
    for finding in kernel["findings"]:
        if finding["id"] == cause and finding.get("speedup"):
            speedup = finding["speedup"]
            return f"{speedup['estimate']:.2f}x ({speedup['low']:.2f}-{speedup['high']:.2f})"
    return "not found"


def line(row: dict, kernel: dict) -> str:
    first = next(iter(gains(kernel)), "none")
    cells = [row["case"], first, row["fix_cause"], promise(kernel, row["fix_cause"])]
    return "| " + " | ".join([*cells, f"{row['speedup']:.2f}x", ncu_advice(kernel)]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Predicted and measured gains as a markdown table.")
    parser.add_argument("--split", choices=FOLDERS, required=True)
    parser.add_argument("--command", default=f"{sys.executable} -m ncuanalyze")
    options = parser.parse_args()
    print("| kernel | first finding | planted | predicted gain | measured | ncu's largest estimate |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in json.loads((HERE / "labels.json").read_text()):
        if row["split"] == options.split and row["fixed_by"]:
            report = FOLDERS[row["split"]] / f"{row['report']}.xz"
            found = next(k for k in kernels(options.command, report) if is_labelled(k, row))
            print(line(row, found))


if __name__ == "__main__":
    main()

"""Join what the kernels show (truth.toml) with what they measured (times.csv) into labels.json."""

import csv
import json
import tomllib
from pathlib import Path

from split import TRUTH, split_of

HERE = Path(__file__).parent


def label(case: str, source: str, kernel: str, shows: dict, fix: str | None, speedup: float | None) -> dict:
    """One row of labels.json; Python's kernels are known by their NVTX range."""
    return {
        "report": f"{source}.ncu-rep",
        "kernel" if (HERE / f"{source}.cu").exists() else "nvtx": kernel,
        "case": case,
        "split": split_of(case, source),
        "bound": shows["bound"],
        "limiter": shows["limiter"],
        "cause": shows["cause"],
        "fix_cause": shows.get("fixed"),
        "fixed_by": fix,
        "speedup": 1.0 if "at_roofline" in shows["cause"] else speedup,
    }


def labels() -> list[dict]:
    """The rows of labels.json, a kernel before its fix."""
    with (HERE / "times.csv").open() as file:
        time = {row["kernel"]: float(row["microseconds"]) for row in csv.DictReader(file)}
    rows = []
    for case, shows in tomllib.loads(TRUTH.read_text()).items():
        fix = shows.get("fix")
        name = fix.get("name", f"{case}_fix") if fix else None
        fixed_by, speedup = (name, round(time[case] / time[name], 2)) if "fixed" in shows else (None, None)
        rows.append(label(case, shows["source"], case, shows, fixed_by, speedup))
        if fix:
            rows.append(label(case, shows["source"], name, fix, None, None))
    return rows


if __name__ == "__main__":
    text = ",\n".join(json.dumps(row) for row in labels())
    (HERE / "labels.json").write_text(f"[\n{text}\n]\n")

"""Join what the kernels of a suite show (truth.toml) with what they measured (times.csv) into labels.json.

`label.py FOLDER`: the folder of the suite, whose name is that of its split.
"""

import csv
import json
import sys
import tomllib
from pathlib import Path


def labels(suite: Path) -> list[dict]:
    """The rows of labels.json, in the form of the planted kernels' own."""
    with (suite / "times.csv").open() as file:
        time = {row["kernel"]: float(row["microseconds"]) for row in csv.DictReader(file)}
    truth = tomllib.loads((suite / "truth.toml").read_text())
    return [_label(suite, name, shows, time) for name, shows in truth.items()]


def _label(suite: Path, name: str, shows: dict, time: dict[str, float]) -> dict:
    fix = shows.get("fix")
    source = shows["source"]
    return {
        "report": f"{source}.ncu-rep",
        "kernel" if (suite / f"{source}.cu").exists() else "nvtx": name,
        "split": suite.name,
        "bound": shows["bound"],
        "limiter": shows["limiter"],
        "cause": shows["cause"],
        "fix_cause": shows.get("fixed"),
        "fixed_by": fix,
        "speedup": round(time[name] / time[fix], 2) if fix else None,
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    text = ",\n".join(json.dumps(row) for row in labels(folder))
    (folder / "labels.json").write_text(f"[\n{text}\n]\n")

"""Join what the kernels show (truth.toml) with what they measured (times.csv) into labels.json."""

import csv
import json
import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def labels() -> list[dict]:
    """The rows of labels.json, in the form of the planted kernels' own."""
    with (HERE / "times.csv").open() as file:
        time = {row["kernel"]: float(row["microseconds"]) for row in csv.DictReader(file)}
    return [_label(name, shows, time) for name, shows in tomllib.loads((HERE / "truth.toml").read_text()).items()]


def _label(name: str, shows: dict, time: dict[str, float]) -> dict:
    fix = shows.get("fix")
    source = shows["source"]
    return {
        "report": f"{source}.ncu-rep",
        "kernel" if (HERE / f"{source}.cu").exists() else "nvtx": name,
        "split": "unseen",
        "bound": shows["bound"],
        "limiter": shows["limiter"],
        "cause": shows["cause"],
        "fix_cause": shows.get("fixed"),
        "fixed_by": fix,
        "speedup": round(time[name] / time[fix], 2) if fix else None,
    }


if __name__ == "__main__":
    text = ",\n".join(json.dumps(row) for row in labels())
    (HERE / "labels.json").write_text(f"[\n{text}\n]\n")

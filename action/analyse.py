"""The step that compares and checks: inputs from the environment, files, summary and outputs for the next steps."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

OK, GATE_FAILED = 0, 3
MOST_LINES = 59
"""A comment longer than this is not read."""
SUMMARY_BYTES = 1_000_000
"""The runner drops a step summary of more than 1 MiB."""


def main() -> int:
    """Run both parts; exit 0 unless ncuanalyze itself failed. What the gate says goes to the outputs."""
    folder = Path(os.environ["RUNNER_TEMP"]) / f"ncuanalyze-{given('COMMENT_KEY') or 'default'}"
    (folder / "sarif").mkdir(parents=True, exist_ok=True)
    outputs = {"folder": str(folder), "verdict": "none", "gate": "passed"}
    comparison = compare(folder, outputs)
    budget = check(folder, outputs)
    if given("ADVISORY") == "true":
        outputs["gate"] = "passed"
    comment = joined(comparison, budget)
    (folder / "comment.md").write_text(comment, encoding="utf-8")
    append("GITHUB_STEP_SUMMARY", "\n".join(part for part in (comparison, budget) if part)[:SUMMARY_BYTES])
    for name, value in outputs.items():
        put_output(name, value)
    return OK


def compare(folder: Path, outputs: dict[str, str]) -> str:
    """The comparison as markdown; empty where there is nothing to compare with."""
    base = given("BASE")
    if not base or not Path(base).exists():
        notice(f"no report to compare with{f' at {base}' if base else ''}")
        return ""
    command = [base, given("NEW"), "--fail-on", given("FAIL_ON") or "slower", "--last", given("LAST") or "10"]
    for option, name in (("--threshold", "THRESHOLD"), ("--branch", "BRANCH"), ("--source-root", "SOURCE_ROOT")):
        if given(name):
            command += [option, given(name)]
    for pair in filter(None, map(str.strip, given("PAIRS").splitlines())):
        command += ["--pair", pair]
    saves = {"markdown": "comparison.md", "html": "comparison.html", "json": "comparison.json"}
    code = run("compare", command, saves, folder)
    found = json.loads((folder / "comparison.json").read_text(encoding="utf-8"))
    verdicts = [kernel["verdict"] for kernel in found["kernels"]]
    outputs["verdict"] = found["verdict"]
    change = found["total"]["change_pct"]
    outputs["change-pct"] = "" if change is None else f"{change:.2f}"
    outputs["slower"], outputs["faster"] = str(verdicts.count("slower")), str(verdicts.count("faster"))
    if code == GATE_FAILED:
        outputs["gate"] = "failed"
    return (folder / "comparison.md").read_text(encoding="utf-8")


def check(folder: Path, outputs: dict[str, str]) -> str:
    """The budget check as markdown; empty without a budget."""
    budget = given("BUDGET")
    if not budget:
        return ""
    command = [given("NEW"), "--budget", budget]
    if given("SOURCE_ROOT"):
        command += ["--source-root", given("SOURCE_ROOT")]
    code = run("check", command, {"markdown": "check.md", "json": "check.json"}, folder)
    outputs["budget-passed"] = "false" if code == GATE_FAILED else "true"
    if code == GATE_FAILED:
        outputs["gate"] = "failed"
    return (folder / "check.md").read_text(encoding="utf-8")


def run(command: str, arguments: list[str], saves: dict[str, str], folder: Path) -> int:
    """Run a subcommand: annotations to the log, every other format to its file. Stops on anything but 0 and 3.

    ``-P`` keeps the checked-out repository off the module path: nothing of it may stand in for ncuanalyze.
    """
    line = [sys.executable, "-P", "-m", "ncuanalyze", command, *arguments, "--format", "github", "--overwrite"]
    for form, file in {**saves, "sarif": f"sarif/{command}.sarif"}.items():
        line += ["--save", f"{form}={folder / file}"]
    done = subprocess.run(line, check=False)
    if done.returncode not in (OK, GATE_FAILED):
        raise SystemExit(done.returncode)
    return done.returncode


def joined(comparison: str, budget: str) -> str:
    """Both parts as one comment; the second is cut where the whole would be too long to read."""
    lines = comparison.splitlines()
    rest = budget.splitlines()
    room = MOST_LINES - len(lines) - 1
    if lines and rest and len(rest) > room:
        rest = [*rest[: max(2, room - 2)], "", "More in the run's summary."]
    return "\n".join([*lines, *([""] if lines and rest else []), *rest]) + "\n"


def given(name: str) -> str:
    """An input of the action."""
    return os.environ.get(f"INPUT_{name}", "").strip()


def put_output(name: str, value: str) -> None:
    """Set an output; the delimiter cannot be guessed, so that no value can set another."""
    mark = secrets.token_hex(16)
    append("GITHUB_OUTPUT", f"{name}<<{mark}\n{value}\n{mark}")


def append(variable: str, text: str) -> None:
    """Add lines to a file that the runner reads after the step."""
    if path := os.environ.get(variable):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def notice(text: str) -> None:
    """A line on the run's page."""
    sys.stdout.write(f"::notice title=ncuanalyze::{text.replace('%', '%25')}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

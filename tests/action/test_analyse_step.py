"""The analyse step on real reports: files, outputs, summary, annotations, and what the gate is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEP = ROOT / "action" / "analyse.py"
DEMO = str(ROOT / "fixtures" / "demo.ncu-rep.xz")
SLOWER = "c04_bank_fix=c04_bank"
FASTER = "c04_bank=c04_bank_fix"


@dataclass
class Done:
    """What a run of the step left behind."""

    code: int
    printed: str
    outputs: dict[str, str]
    summary: str
    folder: Path

    def comment(self) -> str:
        return (self.folder / "comment.md").read_text()


def step(folder: Path, **inputs: str) -> Done:
    output, summary = folder / "output", folder / "summary"
    output.write_text("")
    summary.write_text("")
    environment = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
        **{f"INPUT_{name}": value for name, value in inputs.items()},
    }
    done = subprocess.run(
        [sys.executable, str(STEP)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    pairs = re.findall(r"^([a-z-]+)<<(\w+)\n(.*?)\n\2$", output.read_text(), re.MULTILINE | re.DOTALL)
    outputs = {name: value for name, _, value in pairs}
    where = Path(outputs.get("folder", str(folder)))
    return Done(done.returncode, done.stdout + done.stderr, outputs, summary.read_text(), where)


def test_a_faster_kernel_passes(tmp_path: Path) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=FASTER)
    assert done.code == 0, done.printed
    assert (done.outputs["verdict"], done.outputs["gate"]) == ("faster", "passed")
    assert (done.outputs["faster"], done.outputs["slower"]) == ("1", "0")
    assert float(done.outputs["change-pct"]) == pytest.approx(-94.1, abs=0.1)
    assert done.comment().startswith("<!-- ncuanalyze: comparison -->")
    assert "Faster: 17×" in done.summary
    names = {item.name for item in done.folder.iterdir()}
    assert names == {"comment.md", "comparison.html", "comparison.json", "comparison.md", "sarif"}
    assert [item.name for item in (done.folder / "sarif").iterdir()] == ["compare.sarif"]


def test_a_slower_kernel_fails_the_gate_with_an_annotation(tmp_path: Path) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=SLOWER)
    assert (done.code, done.outputs["gate"], done.outputs["verdict"]) == (0, "failed", "slower")
    assert re.search(r"^::error file=.*planted\.cu,line=\d+,title=", done.printed, re.MULTILINE)


def test_advice_fails_nothing(tmp_path: Path) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=SLOWER, ADVISORY="true")
    assert done.outputs["gate"] == "passed"


def test_fail_on_never(tmp_path: Path) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=SLOWER, FAIL_ON="never")
    assert (done.outputs["gate"], done.outputs["slower"]) == ("passed", "1")


@pytest.mark.parametrize("base", ["", "nowhere.ncu-rep"])
def test_the_first_run_has_nothing_to_compare_with(tmp_path: Path, base: str) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=base)
    assert (done.code, done.outputs["verdict"], done.outputs["gate"]) == (0, "none", "passed")
    assert "::notice" in done.printed
    assert done.comment().strip() == ""


@pytest.mark.parametrize(("limit", "gate", "passed"), [(3000, "passed", "true"), (500, "failed", "false")])
def test_a_budget_is_checked(tmp_path: Path, limit: int, gate: str, passed: str) -> None:
    budget = tmp_path / "budget.toml"
    budget.write_text(f"[[budget]]\nkernel = 'c04_*'\nassert = 'duration_us < {limit}'\n")
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, BUDGET=str(budget))
    assert (done.outputs["gate"], done.outputs["budget-passed"]) == (gate, passed)
    assert done.outputs["verdict"] == "same"
    assert len(done.comment().splitlines()) < 60
    sarif = [json.loads(file.read_text()) for file in (done.folder / "sarif").iterdir()]
    assert len({log["runs"][0]["automationDetails"]["id"] for log in sarif}) == 2


def test_both_parts_at_their_longest_stay_readable(tmp_path: Path) -> None:
    budget = tmp_path / "budget.toml"
    lines = "".join(f"'duration_us < {limit}'," for limit in range(1, 80))
    budget.write_text(f"[[budget]]\nkernel = 'c04_*'\nassert = [{lines}]\n")
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=SLOWER, BUDGET=str(budget))
    assert len(done.comment().splitlines()) < 60
    assert "More in the run's summary." in done.comment()


def test_an_error_of_the_tool_stops_the_step(tmp_path: Path) -> None:
    done = step(tmp_path, NEW="nowhere.ncu-rep", BASE=DEMO)
    assert done.code == 1
    assert "Hint:" in done.printed


def test_inputs_are_values_not_code(tmp_path: Path) -> None:
    done = step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS="$(touch hacked)=`touch hacked`")
    assert done.code == 1
    assert not (tmp_path / "hacked").exists()


def test_a_package_of_the_checkout_does_not_stand_in(tmp_path: Path) -> None:
    (tmp_path / "ncuanalyze").mkdir()
    (tmp_path / "ncuanalyze" / "__init__.py").write_text("raise SystemExit(99)")
    (tmp_path / "ncuanalyze" / "__main__.py").write_text("raise SystemExit(99)")
    assert step(tmp_path, NEW=DEMO, BASE=DEMO, PAIRS=FASTER).code == 0

"""What a report or the name of a file holds never steers the terminal, whatever is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ncuanalyze.cli.main import group

HOSTILE = "\x1b[31m\x1b]0;owned\x07\x9b5m\u202eevil"
STEERING = set("\x1b\x07\x9b\u202e\r\x00")
NVTX = "1:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg Domain:"
LOG = f"==PROF== {HOSTILE}\n==WARNING== {HOSTILE}\n"
CELL = f'""a:{HOSTILE}:1:2:3:4:5:6""'
RAW = f"""{LOG}"ID","Kernel Name","Context","Stream","{NVTX}","{HOSTILE}","gpu__time_duration.sum"
"","","","","","{HOSTILE}","ns"
"0","{HOSTILE}","{HOSTILE}","{HOSTILE}","{CELL}","{HOSTILE}","15"
"1","k","1","7","","2","15"
"""
DETAILS = f"""ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value,Rule Name,Rule Type,Rule Description
0,{HOSTILE},{HOSTILE},{HOSTILE},{HOSTILE},{HOSTILE},,,
0,{HOSTILE},{HOSTILE},{HOSTILE}2,{HOSTILE},2,,,
0,{HOSTILE},{HOSTILE},,,,{HOSTILE},WRN,{HOSTILE}
"""
CONSOLE = f"""{LOG}  {HOSTILE} (1, 1, 1)x(1, 1, 1), Context {HOSTILE}
    Section: {HOSTILE}
    ---------- ----------- ------------
    Duration   ns          15
    ---------- ----------- ------------
    WRN   {HOSTILE}
"""
TEXTS = {
    "raw": RAW,
    "details": DETAILS,
    "console": CONSOLE,
    "failed": f"{LOG}==ERROR== {HOSTILE}\n",
    "log": f"==PROF== Report: {HOSTILE}\n",
    "plain": HOSTILE,
    "cut": f'"ID","Kernel Name","m"\n"0","{HOSTILE}"\n',
}


def said(*arguments: str) -> str:
    result = CliRunner().invoke(group, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert not STEERING & set(result.output), result.output
    return result.output


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    "words",
    [
        "diagnose F",
        "diagnose F -f html -o O",
        "diagnose F -f json",
        "diagnose F -f sarif",
        "diagnose F -f csv",
        "metrics F",
        "metrics F -m nothing",
        "compare F F",
        "compare F F -f json",
        "check --write F",
        "roofline F",
        "occupancy F",
        "diagnose F -k nothing",
        "history add H F --commit abc",
    ],
)
def test_reports(kind: str, words: str, tmp_path: Path) -> None:
    report = tmp_path / f"{HOSTILE}.txt"
    report.write_text(TEXTS[kind])
    files = {"F": str(report), "O": str(tmp_path / f"{HOSTILE}.html"), "H": str(tmp_path / f"{HOSTILE}.db")}
    said(*(files.get(word, word) for word in words.split()))


def test_warnings_and_files_are_named(tmp_path: Path) -> None:
    report = tmp_path / "r.csv"
    report.write_text(RAW)
    assert "\\x1b[31m" in said("metrics", str(report))
    assert "wrote" in said(str(report), "-o", str(tmp_path / f"{HOSTILE}.txt"))


@pytest.mark.parametrize("arguments", [[f"-{HOSTILE}"], ["diagnose", f"--{HOSTILE}"], ["diagnose", "x", "-f", HOSTILE]])
def test_command_lines(arguments: list[str]) -> None:
    assert "Error" in said(*arguments)


def test_section_files(tmp_path: Path) -> None:
    file = tmp_path / f"{HOSTILE}.section"
    file.write_text(f'Identifier: "{HOSTILE}"\n{HOSTILE}')
    said("sections", "--check", str(file))

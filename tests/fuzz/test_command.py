"""The command on hostile files: an exit code and an error line, never a traceback, never a bare stack of Python."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from launches import FIXTURES
from render.documents import diagnosis, kernel

from fuzz.damage import DEEP, TROUBLE, damaged, examples
from ncuanalyze.cli.main import COMMANDS, group
from ncuanalyze.diagnosis import to_dict

SMALL = (FIXTURES / "odd" / "raw_units.csv").read_bytes()
SAVED = json.dumps(to_dict(diagnosis(kernel()))).encode()
ENDINGS = (".ncu-rep", ".csv", ".json", ".toml", ".section", ".sqlite", ".zip", "")
WAYS = (
    ("diagnose", "FILE", "--format", "html"),
    ("compare", "FILE", "FILE"),
    ("compare", "REPORT", "FILE"),
    ("check", "FILE", "--write"),
    ("check", "REPORT", "--budget", "FILE"),
    ("diagnose", "REPORT", "--thresholds", "FILE"),
    ("diagnose", "REPORT", "--ceilings", "FILE"),
    ("diagnose", "REPORT", "--workload", "FILE"),
    ("history", "show", "FILE"),
    ("history", "trend", "FILE"),
    ("metrics", "FILE"),
    ("roofline", "FILE"),
    ("calibrate", "FILE"),
    ("occupancy", "FILE"),
    ("sections", "--check", "FILE"),
)
ARGUMENTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
"""What a shell can pass on."""
WORDS = st.sampled_from(
    [
        "--kernel",
        "(",
        "--launch",
        "9" * 30,
        "--top",
        "0",
        "--nvtx",
        "-f",
        "json",
        "gemm",
        "m=nan",
        "h100",
        "-",
        "--",
        "1e9",
    ]
)


def runs_cleanly(words: Sequence[str]) -> None:
    """Run the command; its exit code is one of ours and what it says is no traceback."""
    result = CliRunner().invoke(group, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code in (0, 1, 2, 3)
    assert "Traceback" not in result.output
    if result.exit_code == 1 and "sections" not in words:
        assert result.output.strip()


def words_of(way: Sequence[str], file: Path) -> list[str]:
    known = {"FILE": str(file), "REPORT": str(FIXTURES / "odd" / "raw_units.csv")}
    return [known.get(word, word) for word in way]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_trouble_given_to_every_command(way: tuple[str, ...], folder: Path) -> None:
    for number, data in enumerate((*TROUBLE[:12], *DEEP[:3], SMALL[:200], SAVED[:500], b"NVR\x00" + bytes(64))):
        for ending in ENDINGS[number % 2 :: 2]:
            file = folder / f"file{ending}"
            file.write_bytes(data)
            runs_cleanly(words_of(way, file))


@examples(25)
@given(way=st.sampled_from(WAYS), data=damaged([SMALL, SAVED]), ending=st.sampled_from(ENDINGS))
def test_damaged_files_given_to_every_command(way: tuple[str, ...], data: bytes, ending: str, folder: Path) -> None:
    file = folder / f"damaged{ending}"
    file.write_bytes(data)
    runs_cleanly(words_of(way, file))


@examples(40)
@given(command=st.sampled_from(sorted(COMMANDS)), words=st.lists(st.one_of(ARGUMENTS, WORDS), max_size=5))
def test_any_words_after_any_command(command: str, words: list[str], folder: Path) -> None:
    with chdir(folder):
        runs_cleanly([command, *words])


@pytest.mark.parametrize("name", ["missing.ncu-rep", "", "x" * 5000, "/dev/null", "/proc/self/mem"])
@pytest.mark.parametrize("command", ["diagnose", "compare", "check", "metrics", "roofline"])
def test_names_that_are_no_files(command: str, name: str) -> None:
    runs_cleanly([command, name, name][: 3 if command == "compare" else 2])


def test_a_loop_of_links_is_an_error_line(folder: Path) -> None:
    loop = folder / "loop.ncu-rep"
    loop.symlink_to(loop)
    runs_cleanly(["diagnose", str(loop)])


def test_a_bomb_is_refused_before_it_fills_the_disk(folder: Path) -> None:
    bomb = folder / "bomb.ncu-rep.xz"
    bomb.write_bytes(lzma.compress(b"NVR\x00" + bytes(70 << 20), preset=0))
    result = CliRunner().invoke(group, ["diagnose", str(bomb)])
    assert result.exit_code == 1
    assert "unpacks to more than" in result.output

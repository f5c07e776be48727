"""A limit of the shell on the size of files is named, whatever is written: a copy, an output, standard output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
CSV, PACKED = FIXTURES / "odd" / "raw_no_units.csv", FIXTURES / "demo.ncu-rep.xz"
TOO_LARGE = "File too large"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="shells of Windows have no such limit")


def limited(folder: Path, *arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-P", "-m", "ncuanalyze", *map(str, arguments))
    return subprocess.run(
        ["bash", "-c", 'ulimit -f 1; exec "$@"', "-", *command],
        cwd=folder,
        text=True,
        timeout=60,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((PACKED,), f"cannot read {PACKED}: {TOO_LARGE}"),
        ((CSV, "-f", "html", "-o", "page.html"), f"cannot write page.html: {TOO_LARGE}"),
        (("batch", CSV, "-o", "dataset"), TOO_LARGE),
        (("history", "add", "h.sqlite", CSV, "--commit", "a"), "cannot write the history h.sqlite: disk I/O error"),
    ],
    ids=["copy", "page", "dataset", "history"],
)
def test_what_is_written_meets_the_limit(tmp_path: Path, arguments: tuple[object, ...], error: str) -> None:
    first, second = limited(tmp_path, *arguments, stdout=subprocess.DEVNULL).stderr.splitlines()
    assert first == f"Error: {error}"
    assert second.startswith("Hint: ") and "ulimit -f" in second


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [(CSV,), ("gpus",)], ids=["reads", "reads nothing"])
def test_standard_output_meets_the_limit(tmp_path: Path, unbuffered: str, arguments: tuple[object, ...]) -> None:
    """It was a traceback, and with PYTHONUNBUFFERED the first half of the output with exit code 0."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with (tmp_path / "out").open("w") as out:
        done = limited(tmp_path, *arguments, stdout=out, env=environment)
    first, second = done.stderr.splitlines()
    assert (done.returncode, first) == (1, f"Error: {TOO_LARGE}")
    assert second.startswith("Hint: ") and "ulimit -f" in second

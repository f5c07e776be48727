"""Coverage-guided fuzzing of one kind of file: ``coverage_guided.py TARGET [-max_total_time=60 ...]``, by atheris.

Starts from the whole files of the tests. An input that fails is written as ``crash-HASH``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
with atheris.instrument_imports(include=["ncuanalyze"]):
    from fuzz.seeds import SEEDS
    from fuzz.targets import TARGETS, survives


def main(name: str, options: list[str]) -> None:
    """Fuzz the target until the options say stop; never returns."""
    target = TARGETS[name]
    folder = Path(tempfile.mkdtemp(prefix="ncuanalyze-fuzz-"))
    for number, seed in enumerate(SEEDS[name]):
        folder.joinpath(f"seed{number}").write_bytes(seed)
    atheris.Setup(["fuzz", *options, str(folder)], lambda data: survives(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"give one of: {', '.join(TARGETS)}")
    main(sys.argv[1], sys.argv[2:])

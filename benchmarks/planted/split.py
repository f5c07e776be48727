"""Which part of the suite a case is in: PyTorch's kernels apart, a half by a coin tossed once with the case's name.

Run as a program: prints `split source case...`, one line a report.
"""

import hashlib
import tomllib
from pathlib import Path

SEED = "ncuanalyze planted kernels 2026-11"
TRUTH = Path(__file__).with_name("truth.toml")


def split_of(case: str, source: str) -> str:
    """`tune` or `held_out` by the case's name; `library` for library_ops.py."""
    if source == "library_ops":
        return "library"
    return "held_out" if hashlib.sha256(f"{SEED}:{case}".encode()).digest()[0] & 1 else "tune"


def reports() -> dict[tuple[str, str], list[str]]:
    """The cases of each report, by (split, source file)."""
    groups: dict[tuple[str, str], list[str]] = {}
    for case, truth in tomllib.loads(TRUTH.read_text()).items():
        names = [case, f"{case}_fix"] if truth["source"] == "torch_ops" and "fix" in truth else [case]
        groups.setdefault((split_of(case, truth["source"]), truth["source"]), []).extend(names)
    return groups


if __name__ == "__main__":
    for (split, source), names in sorted(reports().items()):
        print(split, source, *names)

"""Memory of a command and all its children, sampled while it runs."""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
EVERY_S = 0.25


@dataclass
class Watched:
    """``samples`` are (seconds since the start, MiB not shared with others of the tree, largest process in MiB)."""

    wall_s: float
    cpu_s: float
    samples: list[tuple[float, float, float]]

    def at(self, share: float) -> float:
        """MiB of the whole tree once this share of the time has passed: the largest of a twentieth of it."""
        middle, width = share * self.wall_s, self.wall_s / 40
        near = [total for moment, total, _ in self.samples if abs(moment - middle) <= max(width, EVERY_S)]
        return max(near, default=0.0)

    @property
    def peak(self) -> float:
        """Largest MiB of the whole tree."""
        return max(total for _, total, _ in self.samples)


def watched(command: Sequence[str | Path]) -> Watched:
    """Run a command and sample its memory (Linux: proportional set sizes)."""
    started, spent = time.perf_counter(), _cpu_of_children()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    samples = []
    while process.poll() is None:
        sizes = [_proportional_mib(pid) for pid in _tree(process.pid)]
        if sizes:
            samples.append((time.perf_counter() - started, sum(sizes), max(sizes)))
        time.sleep(EVERY_S)
    wall = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return Watched(wall, _cpu_of_children() - spent, samples)


def _cpu_of_children() -> float:
    """Processor seconds of all children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [root]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def _proportional_mib(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)

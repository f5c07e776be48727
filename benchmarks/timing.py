"""Times commands in turn, so that whatever else the machine does falls on all of them alike."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Command = Sequence[str | Path]


@dataclass
class Runs:
    """What a command took, run by run: wall-clock and processor seconds, and peak memory."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)
    peak_mib: list[float] = field(default_factory=list)

    @property
    def wall_ms(self) -> float:
        """Median."""
        return 1000 * statistics.median(self.wall_s)

    @property
    def cpu_ms(self) -> float:
        """Median of user and system time."""
        return 1000 * statistics.median(self.cpu_s)

    @property
    def peak(self) -> float:
        """Median of the largest resident size, MiB."""
        return statistics.median(self.peak_mib)

    def over(self, other: "Runs") -> tuple[float, float, float]:
        """Medians of wall, processor and memory ratios to another command of the same rounds."""
        pairs = ((self.wall_s, other.wall_s), (self.cpu_s, other.cpu_s), (self.peak_mib, other.peak_mib))
        wall, cpu, peak = (statistics.median(a / b for a, b in zip(*pair, strict=True)) for pair in pairs)
        return wall, cpu, peak


def in_turn(commands: Mapping[str, Command], rounds: int) -> dict[str, Runs]:
    """Run every command once unmeasured, then in rounds."""
    runs = {name: Runs() for name in commands}
    for round_number in range(rounds + 1):
        for name, command in commands.items():
            wall, usage = _timed(command)
            if round_number:
                runs[name].wall_s.append(wall)
                runs[name].cpu_s.append(usage.ru_utime + usage.ru_stime)
                runs[name].peak_mib.append(usage.ru_maxrss / 1024)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return runs


def _timed(command: Command):
    started = time.perf_counter()
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return time.perf_counter() - started, usage

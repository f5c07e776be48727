"""What to know before profiling a kind of program: autotuners, several processes, unlocked clocks."""

from __future__ import annotations

from pathlib import Path

from ncuanalyze.collect.command import Request
from ncuanalyze.collect.installation import Installation

LAUNCHERS = frozenset({"torchrun", "mpirun", "mpiexec", "srun", "deepspeed", "accelerate", "horovodrun"})
_PYTHON = (
    "Triton and torch.compile time every candidate before they keep one: profile after a warm-up call "
    "(-k KERNEL --launch-skip N --launch-count 1), or start and stop the profiler round one step "
    "(torch.cuda.profiler.start/stop with --ncu-option=--profile-from-start --ncu-option=off). "
    "TRITON_CACHE_AUTOTUNING=1 keeps Triton's choice between runs, TRITON_PRINT_AUTOTUNING=1 names it."
)
_PEERS = (
    "Kernels that wait for another process (NCCL, NVSHMEM) hang under kernel replay: filter them out with "
    "-k, or use --replay application. Profile one rank: start ncu inside the launcher, for one rank only."
)
_EVERYTHING = (
    "Every launch is profiled, each replayed many times: limit a long program with -k and --launch-count."
)
_NO_STOCK = (
    "NVIDIA's own section folder was not found, so only ncuanalyze's sections are loaded: name it with "
    "--stock-sections DIR to have its sets too (ncu --section-folder-restore writes a copy)."
)
_CLOCKS = (
    "Clocks are not locked: times vary with temperature and load, so compare only runs that ran the same way."
)


def advice_for(request: Request, installation: Installation) -> tuple[str, ...]:
    """The notes that fit this program and command, most useful first."""
    words = [Path(word).name for word in request.program]
    notes = []
    if any(word in LAUNCHERS for word in words):
        notes.append(_PEERS)
    if any(word.startswith("python") or word.endswith(".py") or word == "torchrun" for word in words):
        notes.append(_PYTHON)
    if request.kernel is None and request.launch_count is None and not request.nvtx_include:
        notes.append(_EVERYTHING)
    if installation.stock_sections is None:
        notes.append(_NO_STOCK)
    if request.clock == "none":
        notes.append(_CLOCKS)
    return tuple(notes)

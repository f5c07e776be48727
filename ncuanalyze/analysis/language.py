"""Whose kernel it is: advice speaks of Triton's parameters, of a library's calls, or of CUDA C++."""

from __future__ import annotations

import re

from ncuanalyze.profile import KernelLaunch

_LIBRARY = re.compile(
    r"^(nvjet|sm\d+_xmma|cutlass|ampere_|volta_|turing_|hopper_|maxwell_|cudnn|cublas|splitKreduce|Kernel2$|"
    r"void (at::|cub::|thrust::|cudnn|cublas|cutlass))|\bat::|cutlass::|cublasLt|::cutlass|"
    r"^_ZN(?:K?2at|3cub|6thrust|5cudnn|6cublas|7cutlass)"
)
_TRITON_NUMBER = re.compile(r"_kernel_\d")
_WORD = re.compile(r"\w*")


def language_of(launch: KernelLaunch) -> str:
    """``library`` or ``triton`` by the naming of those compilers, else ``cuda``; the same for every file format."""
    if _LIBRARY.search(launch.demangled) or _LIBRARY.search(launch.name):
        return "library"
    plain = not launch.demangled.startswith("_Z") and "(" not in launch.demangled and "<" not in launch.demangled
    return "triton" if plain and _is_of_triton(launch.name) else "cuda"


def _is_of_triton(name: str) -> bool:
    """``triton_...``, ``..._kernel``, or ``..._kernel_0d1d2`` with the specialised arguments behind."""
    if name.startswith("triton_") or name.endswith("_kernel"):
        return True
    ends = [found.end() for found in _TRITON_NUMBER.finditer(name)]
    return bool(ends) and _WORD.fullmatch(name, ends[-1]) is not None

"""Whose kernel it is: advice speaks of Triton's parameters, of a library's calls, or of CUDA C++."""

from __future__ import annotations

import re

from ncuanalyze.profile import KernelLaunch

_LIBRARY = re.compile(
    r"^(nvjet|sm\d+_xmma|cutlass|ampere_|volta_|turing_|hopper_|maxwell_|cudnn|cublas|splitKreduce|Kernel2$|"
    r"void (at::|cub::|thrust::|cudnn|cublas|cutlass))|\bat::|cutlass::|cublasLt|::cutlass|"
    r"^_ZN(?:K?2at|3cub|6thrust|5cudnn|6cublas|7cutlass)"
)
_TRITON = re.compile(r"^triton_|_kernel(_\d+d?c?\d*\w*)?$")


def language_of(launch: KernelLaunch) -> str:
    """``library`` or ``triton`` by the naming of those compilers, else ``cuda``; the same for every file format."""
    if _LIBRARY.search(launch.demangled) or _LIBRARY.search(launch.name):
        return "library"
    plain = not launch.demangled.startswith("_Z") and "(" not in launch.demangled and "<" not in launch.demangled
    return "triton" if plain and _TRITON.search(launch.name) else "cuda"

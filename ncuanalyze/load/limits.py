"""How much a report may hold: far beyond what ncu writes, and little enough to be read in the memory of a laptop.

A report of ten thousands of kernels with thousands of metrics each is genuine, and costs what it costs. What is bound
is what a file of some kilobytes can claim: millions of columns, of kernels without metrics, of exports in one file.
"""

from __future__ import annotations

from ncuanalyze.errors import UnreadableReport

MAX_KERNELS = 100_000
MAX_METRICS = 20_000  # of one kernel; ncu --query-metrics-mode all names some ten thousand
MAX_EXPORTS = 10_000  # in one file
MAX_STRAYS = 1_000_000  # lines in one file that look like rows and belong to no table
MAX_MESSAGES = 100_000  # different ones of ncu beside the data; the rest is not kept
MAX_SEPARATORS = 10_000_000  # in one line
_HINT = "Export less at a time: ncu --import REPORT --csv --page raw --kernel-name NAME --launch-count 1000"
_SPARSEST_BYTES = 2
_LEAST_CHARACTERS = 8  # for one list or object of a saved diagnosis, in which they have 48 and more
_FREE_CONTAINERS = 100_000
_FREE_KERNELS = 1000


def check(kernels: int = 0, metrics: int = 0, exports: int = 0, strays: int = 0) -> None:
    """Raise UnreadableReport for more than a report can hold."""
    for count, most, what in (
        (kernels, MAX_KERNELS, "kernels"),
        (metrics, MAX_METRICS, "metrics a kernel"),
        (exports, MAX_EXPORTS, "exports"),
        (strays, MAX_STRAYS, "damaged rows"),
    ):
        if count > most:
            raise UnreadableReport(f"the file holds more than {most:,} {what}", hint=_HINT)


def check_density(kernels: int, packed_bytes: int) -> None:
    """Raise UnreadableReport for a packed file with more kernels than its bytes can tell apart.

    Two launches never take the same time to the nanosecond for long: each costs bytes, however well it is packed.
    """
    if kernels > _FREE_KERNELS and kernels * _SPARSEST_BYTES > packed_bytes:
        raise UnreadableReport(
            f"{kernels:,} kernels in {packed_bytes:,} packed bytes: a report does not compress that well",
            hint="If it is genuine, unpack it first.",
        )


def check_containers(count: int, characters: int) -> None:
    """Raise UnreadableReport for a saved diagnosis that is mostly brackets: each costs 80 bytes of memory."""
    if count > _FREE_CONTAINERS and count * _LEAST_CHARACTERS > characters:
        raise UnreadableReport(
            f"{count:,} brackets in {characters:,} characters: no saved diagnosis looks like that",
            hint="Write it again with --format json.",
        )

"""Ask CUPTI's host library, which needs no GPU, for passes and metric names (``pip install nvidia-cuda-cupti``).

python tools/cupti_host.py passes [SET]     hardware passes of our section sets on each chip
python tools/cupti_host.py names LISTS      write metric_names.txt.xz; LISTS: a folder of `ncu --query-metrics` lists
"""

from __future__ import annotations

import ctypes
import lzma
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ncuanalyze.section_lint import read_section
from ncuanalyze.section_lint.metric_names import arch_of_chip

ROOT = Path(__file__).parents[1]
KINDS = ("c", "r", "t")  # counter, ratio, throughput: CUPTI's order
SETS = ("ncuanalyze", "ncuanalyze-quick", "ncuanalyze-roofline")


def _library() -> ctypes.CDLL:
    spec = find_spec("nvidia")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("CUPTI is not installed: pip install nvidia-cuda-cupti")
    folder = next(
        found.parent
        for root in spec.submodule_search_locations
        for found in Path(root).rglob("libcupti.so.*")
    )
    ctypes.CDLL(str(folder / "libnvperf_host.so"), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(next(folder.glob("libcupti.so.*"))))


def _call(library: ctypes.CDLL, function: str, *fields: tuple[str, Any, Any]) -> Any:
    """One call with a parameter struct of (name, type, value) fields. Raises ``ValueError`` on a status."""
    layout = [("size", ctypes.c_size_t), ("private", ctypes.c_void_p), *((n, t) for n, t, _ in fields)]
    struct = type("Parameters", (ctypes.Structure,), {"_fields_": layout})()
    struct.size = ctypes.sizeof(struct)
    for name, _, value in fields:
        if value is not None:
            setattr(struct, name, value)
    if status := getattr(library, function)(ctypes.byref(struct)):
        raise ValueError(f"{function}: status {status}")
    return struct


class Chip:
    """A chip by its name, such as ``gh100``."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._library = library
        self._name = name

    @contextmanager
    def _host(self) -> Iterator[Any]:
        host = _call(
            self._library,
            "cuptiProfilerHostInitialize",
            ("kind", ctypes.c_int, 0),
            ("chip", ctypes.c_char_p, self._name.upper().encode()),
            ("availability", ctypes.c_void_p, None),
            ("host", ctypes.c_void_p, None),
        ).host
        try:
            yield host
        finally:
            _call(self._library, "cuptiProfilerHostDeinitialize", ("host", ctypes.c_void_p, host))

    def names(self, kind: int) -> list[str]:
        """The base names of one kind of metric."""
        with self._host() as host:
            found = _call(
                self._library,
                "cuptiProfilerHostGetBaseMetrics",
                ("host", ctypes.c_void_p, host),
                ("kind", ctypes.c_int, kind),
                ("names", ctypes.POINTER(ctypes.c_char_p), None),
                ("count", ctypes.c_size_t, None),
            )
            return [found.names[index].decode() for index in range(found.count)]

    def passes(self, metrics: Sequence[str]) -> int:
        """How often a kernel must run for these metrics. Raises ``ValueError`` for one that the chip lacks."""
        words = (ctypes.c_char_p * len(metrics))(*(metric.encode() for metric in metrics))
        with self._host() as host:
            handle = ("host", ctypes.c_void_p, host)
            pointer = ctypes.cast(words, ctypes.c_void_p)
            _call(
                self._library,
                "cuptiProfilerHostConfigAddMetrics",
                handle,
                ("names", ctypes.c_void_p, pointer),
                ("count", ctypes.c_size_t, len(metrics)),
            )
            size = ("image_size", ctypes.c_size_t, None)
            length = _call(self._library, "cuptiProfilerHostGetConfigImageSize", handle, size).image_size
            buffer = (ctypes.c_uint8 * length)()
            image = (
                ("image_size", ctypes.c_size_t, length),
                ("image", ctypes.c_void_p, ctypes.cast(buffer, ctypes.c_void_p)),
            )
            _call(self._library, "cuptiProfilerHostGetConfigImage", handle, *image)
            done = _call(
                self._library, "cuptiProfilerHostGetNumOfPasses", *image, ("passes", ctypes.c_size_t, None)
            )
            return int(done.passes)

    def known(self, metrics: Iterable[str]) -> list[str]:
        """Those that the chip's hardware counts."""
        kept = []
        for metric in metrics:
            try:
                self.passes([metric])
                kept.append(metric)
            except ValueError:
                continue
        return kept


def print_passes(section_set: str) -> None:
    """The hardware passes of one set on each chip with a metric list."""
    library = _library()
    sections = [read_section(path) for path in sorted((ROOT / "sections").glob("*.section"))]
    for name, arch in arch_of_chip().items():
        chip = Chip(library, name)
        asked = [n for s in sections if section_set in s.sets for n in s.collected(arch)]
        metrics = chip.known(dict.fromkeys(metric.removeprefix("breakdown:") for metric in asked))
        line = f"{section_set} {name} CC {arch / 10}: {chip.passes(metrics)} passes, {len(metrics)} metrics"
        sys.stdout.write(line + "\n")


def write_names(lists: Path) -> None:
    """``metric_names.txt.xz``: CUPTI's names joined with the lists of ncu, where there is one for the chip."""
    library = _library()
    chips = list(arch_of_chip())
    table: dict[str, tuple[str, int]] = {}
    for bit, name in enumerate(chips):
        found = [
            (each, kind) for index, kind in enumerate(KINDS) for each in Chip(library, name).names(index)
        ]
        listed = lists / f"{name}.txt"
        found += [(each, "c") for each in listed.read_text().split()] if listed.exists() else []
        for each, kind in found:
            if ".Triage" not in each:
                old = table.get(each, (kind, 0))
                table[each] = (old[0], old[1] | 1 << bit)
    rows = [f"{name} {kind} {mask:x}\n" for name, (kind, mask) in sorted(table.items())]
    text = " ".join(chips) + "\n" + "".join(rows)
    target = ROOT / "ncuanalyze" / "section_lint" / "metric_names.txt.xz"
    target.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def main(words: Sequence[str]) -> None:
    """Do what the first word says."""
    if words[:1] == ["names"] and len(words) == 2:
        write_names(Path(words[1]))
    elif words[:1] == ["passes"] and len(words) <= 2:
        for section_set in words[1:] or SETS:
            print_passes(section_set)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

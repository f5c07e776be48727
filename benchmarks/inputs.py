"""What is measured: the fixtures unpacked, the metrics a diagnosis reads, and a thousand reports made of a few."""

import lzma
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from ncuanalyze.load.blocks import layout_of

FIXTURES = Path(__file__).parents[1] / "fixtures"
ONE_KERNEL = "triples/c26.ncu-rep.xz"
THREE_KERNELS = "triples/eager.ncu-rep.xz"
TEN_KERNELS = "reports/triton.ncu-rep.xz"
MANY = ("triples/c26.ncu-rep.xz", "triples/c14.ncu-rep.xz", "demo.ncu-rep.xz", "variants/basic.ncu-rep.xz")
MANY_CSV = ("triples/c26.raw.csv.xz", "triples/c14.raw.csv.xz", "demo.raw.csv.xz", "triples/eager.raw.csv.xz")


def unpacked(name: str, folder: Path) -> Path:
    """A fixture as the file that ncu wrote."""
    target = folder / Path(name).name.removesuffix(".xz")
    target.write_bytes(lzma.decompress((FIXTURES / name).read_bytes()))
    return target


def metrics_read(reports: Iterable[Path], file: Path, form: str = "text") -> Path:
    """Write the metrics that a diagnosis of the reports asks for, as text or html, as ``bare.py`` takes them.

    In a process of its own: what this one holds would count as the least memory of every command it starts.
    """
    subprocess.run([sys.executable, __file__, form, file, *reports], check=True)
    return file


def _note_metrics(form: str, file: Path, reports: Iterable[Path]) -> None:
    from ncuanalyze.diagnose import Options, diagnose
    from ncuanalyze.load import load
    from ncuanalyze.load.action import ActionMetrics

    asked: dict[str, str] = {}
    plain_read, plain_instances = ActionMetrics._read, ActionMetrics.instances

    def noting_read(self, name):
        asked.setdefault(name, "value")
        return plain_read(self, name)

    def noting_instances(self, name):
        asked[name] = "instances"
        return plain_instances(self, name)

    ActionMetrics._read, ActionMetrics.instances = noting_read, noting_instances
    try:
        for report in reports:
            diagnose(load(report), options=Options(hotspots=form == "html", all_metrics=form == "html"))
    finally:
        ActionMetrics._read, ActionMetrics.instances = plain_read, plain_instances
    file.write_text("".join(f"{kind} {name}\n" for name, kind in sorted(asked.items())))


def many_reports(count: int, folder: Path) -> list[Path]:
    """``count`` reports of different content: the fixtures, each with a number in the command line it stores."""
    originals = [unpacked(name, folder) for name in MANY]
    made = []
    for number, (original, data, place) in zip(range(count), _endless(originals), strict=False):
        target = folder / f"{number:05}_{original.name}"
        label = f"/{number:07}".encode()
        target.write_bytes(data[:place] + label + data[place + len(label) :])
        made.append(target)
    for original in originals:
        original.unlink()
    return made


def _endless(originals: list[Path]) -> Iterator[tuple[Path, bytes, int]]:
    known = [(file, file.read_bytes(), _command_at(file)) for file in originals]
    while True:
        yield from known


def _command_at(report: Path) -> int:
    """Where the stored command line begins with a path long enough to overwrite."""
    command = layout_of(report).command.split()[0].encode()
    place = report.read_bytes().find(command)
    if place < 0 or len(command) < 8:
        raise ValueError(f"{report} stores no command line to number")
    return place


if __name__ == "__main__":
    _note_metrics(sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])

"""What a file of some kilobytes can claim: each is refused with what to do, and genuine reports stay far below."""

import json
import lzma

import pytest

from load.paths import ODD
from ncuanalyze.errors import UnreadableReport
from ncuanalyze.load import limits, load
from ncuanalyze.load.tables import find_tables
from ncuanalyze.load.text import lines_of

DETAILS = '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"\n'
CONSOLE = "  k (1, 1, 1)x(1, 1, 1), Context 1\n  Section: a\n--- --- ---\n"


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    for name, value in {"KERNELS": 100, "METRICS": 50, "EXPORTS": 20, "STRAYS": 30}.items():
        monkeypatch.setattr(limits, f"MAX_{name}", value)
    monkeypatch.setattr("ncuanalyze.load.tables.MAX_MESSAGES", 10)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ID,Kernel Name,m\n1,k,1\n" * 21, "more than 20 exports"),
        ("ID,Kernel Name,m\n" + "1,k,1\n" * 101, "more than 100 kernels"),
        ("ID,Kernel Name\n" + "1,k\n" * 101, "more than 100 kernels"),
        ("ID,Kernel Name\n" + "1,k\n" * 3, "no column for a metric"),
        ("ID,Kernel Name" + ",m" * 50 + "\n1,k\n", "more than 50 metrics a kernel"),
        ("ID,Kernel Name,m\n" + "1,\n" * 32, "more than 30 damaged rows"),
        (DETAILS + "".join(f"1,k,s,m{i},,1\n" for i in range(51)), "more than 50 metrics a kernel"),
        (DETAILS + "".join(f"{i},k,s,m,,1\n" for i in range(101)), "more than 100 kernels"),
        (CONSOLE + "a   b   1\n" * 51, "more than 50 metrics a kernel"),
        (CONSOLE * 101, "more than 100 kernels"),
        ("ID" + ",1" * 101 + "\nFunction Name,k\n", "more than 100 kernels"),
        ("ID,1\nFunction Name,k\n" + "".join(f"m{i},1\n" for i in range(51)), "more than 50 metrics a kernel"),
    ],
)
def test_refused(text, words, tmp_path):
    path = tmp_path / "report.csv"
    path.write_text(text)
    with pytest.raises(UnreadableReport, match=words) as raised:
        load(path)
    assert raised.value.hint


def test_rows_of_a_summary(tmp_path):
    path = tmp_path / "summary.csv"
    head, first, *_ = (ODD / "print_summary.csv").read_text().splitlines(keepends=True)
    path.write_text(head + "".join(first.replace("4321", str(i)) for i in range(101)))
    with pytest.raises(UnreadableReport, match="more than 100 kernels"):
        load(path)


def test_messages_are_kept_once_and_not_without_end():
    assert find_tables("Kernel Name\n" + "==PROF== a\n" * 50).messages == ["==PROF== a"]
    assert len(find_tables("".join(f"==PROF== {i}\n" for i in range(50))).messages) == 10
    assert len(find_tables("Kernel Name\n" + "".join(f"==PROF== {i}\n" for i in range(50))).messages) == 10


@pytest.mark.parametrize(("kernels", "refused"), [(90, True), (20, False)])
def test_kernels_in_packed_bytes(kernels, refused, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "_FREE_KERNELS", 20)
    monkeypatch.setattr(limits, "_SPARSEST_BYTES", 4)
    path = tmp_path / "packed.csv.xz"
    path.write_bytes(lzma.compress(b"ID,Kernel Name,m\n" + b"1,k,1\n" * kernels))
    if not refused:
        assert len(load(path).launches) == kernels
        return
    with pytest.raises(UnreadableReport, match="90 kernels in 96 packed bytes"):
        load(path)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_layers_share_one_bound(layers, tmp_path, monkeypatch):
    # each layer might be 300 times as large as the one around it
    monkeypatch.setattr("ncuanalyze.load.container._MIN_LIMIT", 1 << 16)
    data = b"ID,Kernel Name,m\n" + bytes(1 << 20)
    for _ in range(layers):
        data = lzma.compress(data)
    path = tmp_path / "packed"
    path.write_bytes(data)
    with pytest.raises(UnreadableReport, match="unpacks to more than"):
        load(path)


def test_saved_diagnosis_of_brackets(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "_FREE_CONTAINERS", 1000)
    path = tmp_path / "saved.json"
    path.write_text(json.dumps({"schema": "ncuanalyze.diagnosis/1", "a": [[]] * 2000}))
    with pytest.raises(UnreadableReport, match="brackets"):
        load(path)


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\nb", "\n\na\n\n", "abcdef\nghi\n\nj" * 9])
@pytest.mark.parametrize("piece", [0, 1, 2, 5, 1000])
def test_lines(text, piece, monkeypatch):
    monkeypatch.setattr("ncuanalyze.load.text._PIECE", piece)
    assert list(lines_of(text)) == text.split("\n")

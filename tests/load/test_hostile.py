"""Small texts that cost a naive reader minutes: each is read at once, and most give one error.

No test measures time. What grows with the square of the length is told by a length at which it would take hours.
"""

import struct

import pytest

from ncuanalyze.analysis.language import language_of
from ncuanalyze.errors import NcuAnalyzeError, UnreadableReport
from ncuanalyze.load import load
from ncuanalyze.load.console import is_console
from ncuanalyze.load.labels import labels
from ncuanalyze.load.names import function_name
from ncuanalyze.load.number import value_of
from ncuanalyze.load.nvtx import range_names
from ncuanalyze.section_lint.expression import parse_expression
from ncuanalyze.section_lint.text_format import SectionSyntaxError, parse
from ncuanalyze.units import unit_of_metric

LONG = 2_000_000


def packed(*fields):
    """A header of a block: each field a key and a varint below 128."""
    header = bytes(byte for field in fields for byte in field)
    return struct.pack("<I", len(header)) + header


@pytest.mark.parametrize(
    "line", [" " * LONG + "x", "Section: a" + " " * LONG + "y", "k, Context " * 100_000, "--- " * LONG + "x"]
)
def test_console_lines(line):
    assert not is_console(f"  Section: a\n{line}\n")


@pytest.mark.parametrize(
    "name",
    [
        "operator a " * 200_000 + "!",
        "operator" + " " * LONG + "!",
        "_ZS_" + "S_St" * 100_000 + "x",
        "_Z" + "9" * LONG,
        "(" * LONG,
        "a::" * LONG + "!",
    ],
    ids=lambda name: name[:12],
)
def test_names_without_a_function(name):
    assert function_name(name) == name


def test_operators_behind_operators():
    assert function_name("void a::operator b() const") == "operator b"
    assert function_name("bool my_operator::operator==(int)") == "operator=="


@pytest.mark.parametrize("cell", ["x" + " " * LONG + "}", "{" * LONG + "}", "1" + "{1}" * LONG, "(" * LONG + ")"])
def test_cells(cell):
    value_of(cell)


@pytest.mark.parametrize("cell", ['"' * LONG, '"a' * LONG, '"a"' + " " * LONG + "b", '"a" 1 ' * LONG])
def test_nvtx_cells(cell):
    range_names({"Push/Pop_Range Domain:": cell})


@pytest.mark.parametrize("label", ["a" * LONG, "a__ " + "a" * LONG, "pct_of_peak" * 100_000 + "!"])
def test_labels(label):
    labels().metric("", "", label, ())
    unit_of_metric(label, "")


@pytest.mark.parametrize("name", ["_kernel_" + "1" * LONG + "!", "_kernel_1" * 100_000 + "!"])
def test_language(name, make_launch):
    assert language_of(make_launch(name=name)) == "cuda"


@pytest.mark.parametrize("text", ["a" + " " * LONG + "b", "1" * LONG + "a", "." * LONG])
def test_expressions(text):
    assert isinstance(parse_expression(text), str)


def test_section_numbers():
    with pytest.raises(SectionSyntaxError):
        parse("a: " + "1" * LONG + "a")


def test_columns_by_rows_of_the_interface(tmp_path):
    path = tmp_path / "gui.csv"
    path.write_text("ID" + ",1" * 20_000 + "\nFunction Name,k\n" + "a,1\n" * 20_000)
    profile = load(path)
    assert len(profile.launches) == 1
    assert profile.warnings == ("the file is truncated: 19999 launch(es) without any metric were left out",)


def test_columns_by_rows_of_a_table(tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text(",".join([*["a"] * 50_000, "Kernel Name", "ID"]) + "\n" + "1,k\n" * 50_000)
    with pytest.raises(UnreadableReport):
        load(path)


@pytest.mark.parametrize(
    "blocks",
    [
        packed(*[b"\x10\x01"] * 5_000_000),
        packed(b"\x10\x00") * 1_001,
        packed(b"\x08\x7f", b"\x28\x00") * 8,
        struct.pack("<I", 17 << 20) + bytes(17 << 20),
    ],
    ids=["fields", "blocks", "messages", "header"],
)
def test_blocks(blocks, tmp_path, monkeypatch):
    monkeypatch.setattr("ncuanalyze.load.blocks._MAX_BLOCKS", 1_000)
    monkeypatch.setattr("ncuanalyze.load.blocks._MAX_MESSAGES", 1_000)
    path = tmp_path / "f.ncu-rep"
    path.write_bytes(b"NVR\0" + struct.pack("<I", 0) + blocks)
    with pytest.raises(NcuAnalyzeError, match="truncated or damaged"):
        load(path)

"""Tables are found in any text, with any output around them."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from load.paths import ODD
from ncuanalyze.errors import NcuAnalyzeError, UnreadableReport
from ncuanalyze.load.tables import find_tables
from ncuanalyze.load.text import decode
from ncuanalyze.load.text_report import read_text

HEADER = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size"'
HEADER += ',"Grid Size","Device","CC"'
DETAILS = HEADER + ',"Section Name","Metric Name","Metric Unit","Metric Value"\n'
RAW = HEADER + ',"gpu__time_duration.sum"\n'
LAUNCH = '"{id}","1","app","h","{kernel}","1","7","(32, 1, 1)","(1, 1, 1)","0","8.6"'
ROW = LAUNCH + ',"Command line profiler metrics","gpu__time_duration.sum","ns","{value}"\n'


def details(*pairs):
    return DETAILS + "".join(ROW.format(id=i, kernel=k, value=v) for i, (k, v) in enumerate(pairs))


def durations(text):
    return [launch.duration_ns for launch in read_text(text, "t").launches]


def test_output_before_between_and_after():
    rows = details(("a", 1), ("b", 2)).splitlines(keepends=True)
    text = '==PROF== x\n"half a quote\n' + rows[0] + rows[1] + 'loss = "3\n' + rows[2] + "bye\n"
    assert durations(text) == [1, 2]


def test_what_a_launch_lacks_is_not_kept():
    """Hundreds of names are asked for: a file of some kilobytes took gigabytes."""
    (launch,) = read_text(RAW + LAUNCH.format(id=0, kernel="k") + ',"5"\n', "t").launches
    tracemalloc.start()
    for number in range(10_000):
        assert launch.number(f"lacking_{number}") is None
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 20_000


def test_line_break_inside_a_cell():
    row = (
        LAUNCH.format(id=0, kernel="k") + ',"SpeedOfLight","","","","SOLBottleneck","OPT","first\nsecond ""quoted"""\n'
    )
    header = DETAILS.rstrip() + ',"Rule Name","Rule Type","Rule Description"\n'
    launch = read_text(header + row + ROW.format(id=0, kernel="k", value=5), "t").launches[0]
    assert launch.stored_results[0].text == 'first\nsecond "quoted"'
    assert launch.duration_ns == 5


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiter(delimiter):
    assert durations(details(("a", 7)).replace('","', f'"{delimiter}"')) == [7]


def test_unquoted_cells():
    text = "ID,Process ID,Kernel Name,Context,Stream,gpu__time_duration.sum\n0,1,k,1,7,12\n"
    assert durations(text) == [12]


def test_leading_index_column():
    text = ",ID,Process ID,Kernel Name,Context,Stream,gpu__time_duration.sum\n0,0,1,k,1,7,12\n"
    assert durations(text) == [12]


def test_units_row_only_directly_below_the_header():
    units = '"","","","","","","","","","","","us"\n'
    launch = LAUNCH.format(id=0, kernel="k") + ',"3"\n'
    assert durations(RAW + units + launch) == [3000]
    assert durations(RAW + launch) == [3]


def test_cut_last_row_is_said():
    profile = read_text(RAW + LAUNCH.format(id=0, kernel="a") + ',"1"\n' + LAUNCH.format(id=1, kernel="b"), "t")
    assert [launch.name for launch in profile.launches] == ["a"]
    assert profile.warnings == ("the file is truncated: 1 cut row(s) were left out",)


def test_only_row_cut():
    with pytest.raises(UnreadableReport, match="truncated"):
        read_text(RAW + LAUNCH.format(id=0, kernel="a"), "t")


@pytest.mark.parametrize("whole", ["raw_units.csv", "print_summary.csv"])
def test_every_cut_of_an_export_is_said(whole):
    # inside the header or the units it was "nothing was profiled"; inside the last cell it was a smaller number
    text = (ODD / whole).read_text()
    complete = len(read_text(text, "t").launches)
    for end in range(2, len(text.rstrip())):
        try:
            profile = read_text(text[:end], "t")
        except NcuAnalyzeError as error:
            said = str(error)
        else:
            said = "; ".join(profile.warnings) or f"{len(profile.launches)} of {complete}"
        at_line_end = text[end - 1 : end + 1].find("\n") >= 0
        assert end < 30 or at_line_end or "truncated" in said, (end, text[:end][-40:], said)


def test_rows_of_one_launch_need_not_be_neighbours():
    text = details(("a", 1), ("b", 2)) + ROW.format(id=0, kernel="a", value=9).replace("gpu__time_duration", "x__y")
    launches = read_text(text, "t").launches
    assert [launch.number("x__y.sum") for launch in launches] == [9, None]


def test_same_label_in_two_sections_is_two_metrics():
    first = ROW.format(id=0, kernel="k", value=1).replace("gpu__time_duration.sum", "Odd Label")
    second = first.replace("Command line profiler metrics", "Other Section").replace('"1"\n', '"2"\n')
    metrics = read_text(DETAILS + first + second, "t").launches[0].metrics
    assert metrics.raw("Odd Label") == 1
    assert metrics.raw("Other Section: Odd Label") == 2


@given(st.lists(st.text(st.characters(exclude_characters='\n\r"\ufeff'), max_size=40)))
def test_no_output_of_a_program_hides_a_row(noise):
    rows = details(("a", 1), ("b", 2)).splitlines(keepends=True)
    around = "".join(f"x{line}\n" for line in noise)
    assert durations(around + rows[0] + rows[1] + around + rows[2] + around) == [1, 2]


@given(st.text())
def test_any_text_is_a_profile_or_our_error(text):
    try:
        read_text(text, "t")
    except NcuAnalyzeError as error:
        assert error.hint


@given(st.binary())
def test_any_bytes_decode_or_are_refused(data):
    text = decode(data)
    assert text is None or "\r" not in text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_encodings(encoding):
    assert durations(decode(details(("größe", 1)).encode(encoding))) == [1]


def test_kernel_name_in_any_script():
    kernels = ["ядро", "合并", 'operator"" _kn'.replace('"', '""')]
    launches = read_text(details(*((k, 1) for k in kernels)), "t").launches
    assert [launch.demangled for launch in launches] == ["ядро", "合并", 'operator"" _kn']


def test_many_tables():
    found = find_tables(details(("a", 1)) + "\n" + details(("b", 2)))
    assert [len(table.rows) for table in found.tables] == [1, 1]

"""No text of a report is longer than anybody reads."""

import json

import pytest
from click.testing import CliRunner

from load.paths import ODD
from ncuanalyze.cli.main import group
from ncuanalyze.diagnosis import from_dict
from ncuanalyze.errors import NcuAnalyzeError, UnreadableReport
from ncuanalyze.load import load
from ncuanalyze.load.action import name_of
from ncuanalyze.load.bounded import LONGEST_CHARS, LONGEST_LABEL_CHARS, bounded
from ncuanalyze.load.ncu_log import warnings_of

LONG = "x" * 200_000
NVTX = "1:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg Domain:"
RAW = f'"ID","Kernel Name","Context","Stream","{NVTX}","m","n"\n"0","{{}}","{{}}","{{}}","{{}}","{{}}","1"\n'


def read(text, tmp_path):
    path = tmp_path / "report.csv"
    path.write_text(text)
    return load(path)


def test_whole_up_to_the_bound():
    assert bounded("x" * LONGEST_CHARS) == "x" * LONGEST_CHARS
    assert bounded(LONG) == "x" * (LONGEST_CHARS - 1) + "…"
    assert len(name_of(LONG)) == LONGEST_CHARS


def test_texts_of_a_row(tmp_path):
    ranges = '""' + f"a:{LONG}:1:2:3:4:5:6" + '""'
    (launch,) = read(RAW.format(LONG, LONG, LONG, ranges, LONG), tmp_path).launches
    assert [len(launch.name), len(launch.demangled)] == [LONGEST_CHARS] * 2
    assert [len(launch.context), len(launch.stream)] == [LONGEST_LABEL_CHARS] * 2
    assert [len(name) for name in launch.nvtx] == [LONGEST_CHARS]
    assert len(launch.text("m") or "") == LONGEST_CHARS


def test_ranges_without_end(tmp_path):
    ranges = "  ".join(f'""a:r{i}:1:2:3:4:5:6""' for i in range(1500))
    (launch,) = read(RAW.format("k", "1", "7", ranges, "1"), tmp_path).launches
    assert len(launch.nvtx) == 1000
    assert launch.nvtx[-1] == "r999"


def test_names_of_metrics_and_sections(tmp_path):
    (launch,) = read(f"ID,Kernel Name,{LONG}\n0,k,1\n", tmp_path).launches
    assert max(map(len, launch.metrics.names())) == LONGEST_LABEL_CHARS
    details = f"ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n0,k,{LONG},{LONG},{LONG},1\n"
    (launch,) = read(details, tmp_path).launches
    texts = (*launch.metrics.names(), *launch.sections, *map(launch.metrics.unit, launch.metrics.names()))
    assert {len(text) for text in texts} == {LONGEST_LABEL_CHARS}


@pytest.mark.parametrize("line", ["==ERROR== {}", "==ERROR== Failed to find metric {}__a", "==PROF== Report: {}"])
def test_what_an_error_quotes(line, tmp_path):
    with pytest.raises(NcuAnalyzeError) as raised:
        read(line.format(LONG) + "\n", tmp_path)
    assert len(str(raised.value)) + len(raised.value.hint) < 2000


def test_warnings_without_end():
    said = warnings_of([f"==WARNING== {i}{LONG}" for i in range(80)])
    assert len(said) == 51
    assert said[-1] == "ncu: 30 more warnings"
    assert max(map(len, said)) == LONGEST_LABEL_CHARS


def test_texts_of_a_saved_diagnosis():
    saved = CliRunner().invoke(group, ["diagnose", str(ODD / "raw_units.csv"), "-f", "json"]).stdout
    document = json.loads(saved)
    assert from_dict(document).kernels
    document["kernels"][0]["kernel"]["name"] = LONG * 10
    with pytest.raises(UnreadableReport, match="a text has 2,000,000 characters"):
        from_dict(document)

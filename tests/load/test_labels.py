"""What the details page prints leads to metric names."""

import pytest

from ncuanalyze.data import table
from ncuanalyze.load.labels import labels

SOL = "GPU Speed Of Light Throughput"
OLD_SOL = "GPU Speed Of Light"


@pytest.mark.parametrize(
    ("heading", "label", "name"),
    [
        (SOL, "Duration", "gpu__time_duration.sum"),
        (SOL, "Memory Throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"),
        ("Memory Workload Analysis", "Memory Throughput", "dram__bytes.sum.per_second"),
        (OLD_SOL, "SOL SM", "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
        (OLD_SOL, "SM [%]", "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
        (OLD_SOL, "SOL FB", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
        (OLD_SOL, "SOL DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
        (OLD_SOL, "SOL L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"),
        (OLD_SOL, "SOL TEX", "l1tex__throughput.avg.pct_of_peak_sustained_active"),
        ("Command line profiler metrics", "dram__bytes.sum", "dram__bytes.sum"),
        ("", "gpu__time_duration.sum", "gpu__time_duration.sum"),
        (SOL, "DRAM Frequency (dram__cycles_elapsed.avg.per_second)", "dram__cycles_elapsed.avg.per_second"),
        ("A Heading Of Tomorrow", "Duration", "gpu__time_duration.sum"),
        # two sections print this label for different metrics: in an unknown one it is neither
        ("A Heading Of Tomorrow", "Memory Throughput", None),
        (SOL, "A Label Of Tomorrow", None),
        # the roofline charts print another clock under the same label
        ("GPU Speed Of Light Roofline Chart", "SM Frequency", None),
    ],
)
def test_metric(heading, label, name):
    assert labels().metric(heading, "", label, set()) == name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("L1: Data Bank Reads", "l1tex__data_bank_reads.avg.pct_of_peak_sustained_elapsed"),
        ("SM: Issue Active", "sm__issue_active.avg.pct_of_peak_sustained_elapsed"),
        ("DRAM: Dram Sectors", "fbpa__dram_sectors.avg.pct_of_peak_sustained_elapsed"),
        ("Unit Of Tomorrow: Reads", None),
    ],
)
def test_breakdown(label, name):
    assert labels().metric(SOL, "Memory Throughput Breakdown", label, set()) == name


@pytest.mark.parametrize(
    ("printed", "basis"),
    [
        ({"Mem Busy", "Local Memory Spilling Requests"}, "elapsed"),
        ({"Mem Busy"}, "active"),
        (set(), None),
    ],
    ids=["2025.3", "older", "no sign of its age"],
)
def test_sm_busy_changed_its_basis(printed, basis):
    name = labels().metric("Compute Workload Analysis", "", "SM Busy", printed)
    assert name == (basis and f"sm__instruction_throughput.avg.pct_of_peak_sustained_{basis}")


def test_section_ids():
    assert labels().section_id(OLD_SOL) == labels().section_id(SOL) == "SpeedOfLight"
    assert labels().section_id("MemoryWorkloadAnalysis_Chart") == "MemoryWorkloadAnalysis_Chart"


def test_every_name_has_the_form_of_a_metric():
    names = [
        name
        for section in table("load", "labels")["sections"].values()
        for name in section.get("labels", {}).values()
    ]
    assert len(names) > 120
    assert all("__" in name and " " not in name for name in names)


def test_old_names_are_one_to_one_but_for_rollups():
    old = table("load", "old_names")["names"]
    repeated = {name for name in old.values() if list(old.values()).count(name) > 1}
    assert repeated == {"gpu__time_duration"}

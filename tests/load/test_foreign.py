"""What people mistake for a report is named, with what to do."""

import pytest

from ncuanalyze.data import table
from ncuanalyze.errors import ProfilingFailed, UnknownFormat, UnreadableReport
from ncuanalyze.load.session import settings_of_command
from ncuanalyze.load.text_report import read_text


@pytest.mark.parametrize(
    ("text", "error", "words", "hint"),
    [
        ("", UnreadableReport, "empty", "again"),
        (" \n\n", UnreadableReport, "empty", "again"),
        (
            '{"schema": "ncuanalyze.diagnosis/1", "kernels": []}',
            UnknownFormat,
            "diagnosis saved by",
            "ncuanalyze t",
        ),
        ('{"schema": "other"}', UnknownFormat, "JSON", "--csv"),
        ("[1, 2]", UnknownFormat, "JSON", "--csv"),
        ("<!DOCTYPE html><html>", UnknownFormat, "web page", "login"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", UnknownFormat, "LFS", "git lfs pull"),
        ("[ZoneTransfer]\nZoneId=3\n", UnknownFormat, "Zone.Identifier", "same name"),
        ("==4321== NVPROF is profiling process 4321\n", UnknownFormat, "nvprof", "ncu --set full"),
        ('"Time (%)","Total Time (ns)","Instances","Name"\n', UnknownFormat, "Nsight Systems", "ncu"),
        ('"Kernel Name","k",\n"Address","Source","# Samples"\n', UnknownFormat, "source page", "--page raw"),
        ('Launch Settings\n"Launch Attribute","Value"\n', UnknownFormat, "session page", "--page raw"),
        ("hello\n", UnknownFormat, "not a report", ".ncu-rep"),
        ("==PROF== Report: /home/me/r.ncu-rep\n", UnknownFormat, "log of an ncu run", "/home/me/r.ncu-rep"),
        ("==PROF== Connected to process 1\n", UnknownFormat, "without data", "--import"),
        ("==ERROR== ERR_NVGPUCTRPERM - no\n", ProfilingFailed, "ERR_NVGPUCTRPERM", "root"),
        (
            "==ERROR== Something new.\n",
            ProfilingFailed,
            "stopped with an error: Something new",
            "documentation",
        ),
    ],
)
def test_text(text, error, words, hint):
    with pytest.raises(error, match=words) as raised:
        read_text(text, "t")
    assert hint in raised.value.hint


@pytest.mark.parametrize("entry", table("load", "ncu_messages")["failure"], ids=lambda entry: entry["words"])
def test_every_message_of_ncu_has_a_remedy(entry):
    with pytest.raises(ProfilingFailed) as raised:
        read_text(f"==ERROR== {entry['words'].removeprefix('==ERROR==')} at x\n", "t")
    assert raised.value.hint == entry["hint"]
    assert str(raised.value).startswith(f"t: {entry['message']}")


def test_metrics_out_of_reach_are_named():
    with pytest.raises(ProfilingFailed, match=r"out of reach: dram__bytes\.sum, lts__t_sectors\.sum"):
        read_text(
            "==ERROR== Failed to access the following metrics. On MIG: dram__bytes.sum, lts__t_sectors.sum",
            "t",
        )


@pytest.mark.parametrize(
    ("command", "version", "clock", "cache", "replay"),
    [
        ("ncu ./a", "2025.3.1.0", "base", "all", "kernel"),
        ("ncu ./a", "2026.1.0", "boost", "all", "kernel"),
        ("ncu ./a", "2025.4.1", "", "all", "kernel"),
        (
            "ncu --clock-control none --cache-control=none --replay-mode range ./a",
            "2024.1",
            "none",
            "none",
            "range",
        ),
        ("ncu 'unclosed ./a", "2024.1", "base", "all", "kernel"),
        ("", "2024.1", "", "", ""),
    ],
)
def test_settings(command, version, clock, cache, replay):
    settings = settings_of_command(
        command, {"Nsight Compute Target": f"{version} (build 1) (public-release)"}
    )
    assert (settings.clock_control, settings.cache_control, settings.replay_mode) == (clock, cache, replay)
    assert settings.ncu_version == version

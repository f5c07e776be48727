"""Which files of a folder or an archive are reports, by their names."""

from __future__ import annotations

_REPORTS = (".ncu-rep", ".ncu-repz", ".csv")
_PACKED = ("", ".xz", ".gz", ".bz2", ".zst")
_ARCHIVES = (".zip", ".tar", ".tgz", ".txz", ".tbz2", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst")

REPORT_ENDINGS = tuple(report + packed for report in _REPORTS for packed in _PACKED)


def is_report(name: str) -> bool:
    """Whether a file found in a folder is taken for a report: .ncu-rep or .csv, packed or not."""
    return name.lower().endswith(REPORT_ENDINGS)


def is_archive(name: str) -> bool:
    """Whether a file is an archive of reports: a zip or a tar, compressed or not."""
    return name.lower().endswith(_ARCHIVES)

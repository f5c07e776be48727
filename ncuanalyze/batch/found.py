"""A report that was found, and where its bytes are."""

from __future__ import annotations

from ncuanalyze.batch.chains import own_link
from ncuanalyze.batch.endings import is_archive
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.record import record

IN_ARCHIVE = "!/"
"""Stands between an archive and its member in a report's name: ``nightly.zip!/a/gemm.ncu-rep``."""


@record
class Found:
    """``report`` is its name in the dataset. Its bytes are at ``path`` (local, absolute), at ``url``, or in ``data``.

    ``version`` tells states of a remote file apart without reading it (its ETag, say); empty where nothing does.
    ``refused`` says why it is not read at all, and ``ending`` how it then ends. ``temporary``: the file at ``path``
    goes once it has been read. ``known`` is the hash of the bytes whose outcome is kept already.
    """

    report: str
    path: str = ""
    url: str = ""
    data: bytes | None = None
    version: str = ""
    archive: str = ""
    archive_sha256: str = ""
    refused: str = ""
    hint: str = ""
    ending: Ending = Ending.REFUSED
    temporary: bool = False
    known: str = ""

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive of reports, by its name."""
        return is_archive(own_link(self.report) if self.url else self.report)


def file_name(report: str) -> str:
    """The last word of a report's name: that of the member in an archive, or of the first link in a chained URL."""
    own = report if IN_ARCHIVE in report else own_link(report)
    return own.rsplit("/", 1)[-1]

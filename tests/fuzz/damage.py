"""Hypothesis strategies that damage real files: pieces go missing, come twice, or are replaced by trouble."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

TIMES = int(os.environ.get("FUZZ_TIMES", "1"))
"""How many times more examples than in a normal run of the tests: ``make fuzz`` sets it."""

TROUBLE: tuple[bytes, ...] = (
    b"", b'"', b",", b"\n", b"\r", b"\x00", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"nan", b"inf", b"-inf", b"1e999", b"-1",
    b"0", b"9" * 400, b"9" * 5000, b"1e308", b"1e-320", b"true", b"null", b"{", b"}", b"[", b"]", b"[[", b"=", b"#",
    b"\x1b[2J", b"<script>", b"'", b"\\", b"\\u0000", b"%s%n", b"=cmd()", "\u202e".encode(), "\U0001f600".encode(),
)  # fmt: skip
DEEP = tuple(bracket * 5000 for bracket in (b"[", b"{", b'{"a":', b"(", b"<", b"a."))


def examples(count: int) -> settings:
    """Settings for slow code: that many examples, without a limit on the time of one."""
    return settings(
        max_examples=count * TIMES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@st.composite
def damaged(draw: st.DrawFn, files: Sequence[bytes]) -> bytes:
    """One of the files with one to four pieces replaced."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        width = draw(st.integers(0, 60))
        piece = draw(st.one_of(st.sampled_from((*TROUBLE, *DEEP)), st.binary(max_size=8), _piece_of(data)))
        data = data[:at] + piece + data[at + width :]
    return data


def _piece_of(data: bytes) -> st.SearchStrategy[bytes]:
    """Up to 200 bytes of the file itself."""
    return st.integers(0, len(data)).flatmap(lambda at: st.integers(0, 200).map(lambda length: data[at : at + length]))

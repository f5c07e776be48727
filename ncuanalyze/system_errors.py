"""What to do about an error of the operating system."""

from __future__ import annotations

import errno

_IN_THE_WAY = "Something else stands in its place: move it away or remove it, and run again."
_HINTS = {
    errno.EFBIG: "The shell limits the size of every file that is written, unpacked copies too: raise it (ulimit -f).",
    errno.ENOSPC: "Free some disk; unpacked copies go to the folder that TMPDIR names.",
    errno.EDQUOT: "Free some of your quota; unpacked copies go to the folder that TMPDIR names.",
    errno.EMFILE: "The shell limits the number of open files: raise it (ulimit -n).",
    errno.EISDIR: _IN_THE_WAY,
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
}


def hint_of(error: OSError, otherwise: str) -> str:
    """The hint for an error whose cause no path tells; ``otherwise`` for every other."""
    return _HINTS.get(error.errno or 0, otherwise)


def place_of(error: OSError) -> str:
    """The file that the system refused, with a colon behind it; or its new name; empty where unknown."""
    place = error.filename2 or error.filename
    return f"{place}: " if place else ""

"""What to do about an error of the operating system."""

from __future__ import annotations

import errno

_HINTS = {
    errno.EFBIG: "The shell limits the size of every file that is written, unpacked copies too: raise it (ulimit -f).",
    errno.ENOSPC: "Free some disk; unpacked copies go to the folder that TMPDIR names.",
    errno.EDQUOT: "Free some of your quota; unpacked copies go to the folder that TMPDIR names.",
    errno.EMFILE: "The shell limits the number of open files: raise it (ulimit -n).",
}


def hint_of(error: OSError, otherwise: str) -> str:
    """The hint for an error whose cause no path tells; ``otherwise`` for every other."""
    return _HINTS.get(error.errno or 0, otherwise)

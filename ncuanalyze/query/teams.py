"""Whose kernel it is: by the beginning of its name, its NVTX range or its report's folder."""

from __future__ import annotations

from typing import Any

from ncuanalyze.record import record

OTHER, NONE = "(other)", "(none)"
_RETURN_TYPE = "^(void|auto|static|inline|bool|int|float|double) +"
_NAME = f"regexp_replace(demangled, '{_RETURN_TYPE}', '')"
_BELOW = "substr(report, $skip + 1)"
_WORD = f"regexp_extract({_NAME}, '^_*([A-Za-z0-9]+)', 1)"
_SHARED_WORDS = f"SELECT {_WORD} FROM kernels GROUP BY ALL HAVING count(DISTINCT kernel) > 1"
_KEYS = {"name": _NAME, "nvtx": "coalesce(nvtx[1], '')", "folder": "report"}
_FIRST = {
    "name": f"if({_WORD} IN ({_SHARED_WORDS}), {_WORD}, '')",
    "nvtx": "regexp_extract(coalesce(nvtx[1], ''), '^[^/:.|]*')",
    "folder": f"if(contains({_BELOW}, '/'), split_part({_BELOW}, '/', 1), '{NONE}')",
}


@record
class Teams:
    """``by`` is ``name``, ``nvtx`` or ``folder``. ``prefixes`` name the teams; without any, the first word of the name
    does where kernels of several functions begin with it, the first word of the range, or the first folder below the
    one that all reports share (``(none)``: right in that one)."""

    by: str = "name"
    prefixes: tuple[str, ...] = ()

    def sql(self) -> str:
        """The expression for a kernel's team."""
        if not self.prefixes:
            return f"coalesce(nullif({_FIRST[self.by]}, ''), '{OTHER}')"
        longest = "list_filter($prefixes, lambda p: starts_with(" + _KEYS[self.by] + ", p))"
        return f"coalesce({longest}[1], '{OTHER}')"

    def parameters(self, connection: Any) -> dict[str, Any]:
        """The values of the expression's parameters; prefixes longest first, so that the nearest one wins."""
        if self.prefixes:
            return {"prefixes": sorted(self.prefixes, key=lambda prefix: (-len(prefix), prefix))}
        if self.by != "folder":
            return {}
        first, last = connection.execute("SELECT min(report), max(report) FROM kernels").fetchone()
        return {"skip": _shared_folder(first or "", last or "")}


def _shared_folder(first: str, last: str) -> int:
    """The length of the folder that the first and the last name share, and so all between them."""
    same = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first.rfind("/", 0, same) + 1

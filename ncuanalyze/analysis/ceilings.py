"""Empirical ceilings: what saturating kernels reach of each roof, as a share that follows the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncuanalyze import toml_text
from ncuanalyze.data import PACKAGE
from ncuanalyze.diagnosis.measured import Roof
from ncuanalyze.errors import InvalidInput
from ncuanalyze.record import record

SCHEMA = "ncuanalyze.ceilings/1"
HINT = "write one with `ncuanalyze calibrate REPORT... -o ceilings.toml`"


@record
class Ceiling:
    """The best that any kernel reached of one roof: ``pct_of_roof`` (0-100) of a roof of ``roof_per_s``."""

    roof: str
    pct_of_roof: float
    per_s: float
    unit: str
    kernel: str
    report: str
    roof_per_s: float
    clock_hz: float | None = None
    duration_ns: float | None = None


@record
class Ceilings:
    """Sustained values of one GPU, and where they come from."""

    device: str
    ceilings: tuple[Ceiling, ...]
    ncu_version: str = ""

    def beside(self, roofs: Sequence[Roof]) -> tuple[Roof, ...]:
        """The roofs, each with what was sustained of it at the roof's own clock, where known."""
        known = {ceiling.roof: ceiling for ceiling in self.ceilings}
        return tuple(
            replace(roof, sustained_per_s=roof.per_s * known[roof.name].pct_of_roof / 100)
            if roof.name in known
            else roof
            for roof in roofs
        )

    def to_toml(self) -> str:
        """The ceilings file, with what each value stands on."""
        head = [
            f"# What saturating kernels reached of each roof on {_one_line(self.device)}.",
            "# Written by `ncuanalyze calibrate`; the share follows the clock, other values are of that run.",
            f"schema = {_quoted(SCHEMA)}",
            f"device = {_quoted(self.device)}",
            f"ncu_version = {_quoted(self.ncu_version)}",
        ]
        return "\n".join([*head, *(line for ceiling in self.ceilings for line in _entry(ceiling))]) + "\n"


def load_ceilings(path: Path) -> Ceilings:
    """Read a ceilings file.

    Raises InvalidInput where it is missing, no TOML, or lacks what ``calibrate`` writes.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read the ceilings file {path}", hint=HINT) from error
    return ceilings_from_toml(text, str(path))


def shipped_ceilings(device: str | None) -> Ceilings | None:
    """The ceilings that come with the package for a GPU's name in a report; None where there are none."""
    for path in sorted((PACKAGE / "analysis").glob("ceilings_*.toml")):
        ceilings = ceilings_from_toml(path.read_text("utf-8"), path.name)
        if ceilings.device == device:
            return ceilings
    return None


def ceilings_from_toml(text: str, name: str) -> Ceilings:
    """The ceilings of a file's text; ``name`` is for messages."""
    try:
        data = toml_text.loads(text)
        if data.get("schema") != SCHEMA:
            raise InvalidInput(f'{name} is no ceilings file: it lacks schema = "{SCHEMA}"', hint=HINT)
        return Ceilings(
            device=str(data["device"]),
            ncu_version=str(data.get("ncu_version", "")),
            ceilings=tuple(_ceiling(entry) for entry in data["ceiling"]),
        )
    except (ValueError, RecursionError, OverflowError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{name} is no ceilings file: {error}", hint=HINT) from error


def _ceiling(entry: Mapping[str, Any]) -> Ceiling:
    return Ceiling(
        roof=str(entry["roof"]),
        pct_of_roof=_positive(entry, "pct_of_roof"),
        per_s=_positive(entry, "per_s"),
        unit=str(entry["unit"]),
        kernel=str(entry["kernel"]),
        report=str(entry["report"]),
        roof_per_s=_positive(entry, "roof_per_s"),
        clock_hz=_positive(entry, "clock_hz") if "clock_hz" in entry else None,
        duration_ns=_positive(entry, "duration_ns") if "duration_ns" in entry else None,
    )


def _positive(entry: Mapping[str, Any], name: str) -> float:
    value = float(entry[name])
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} must be a positive number")
    return value


def _entry(ceiling: Ceiling) -> Iterator[str]:
    yield ""
    yield "[[ceiling]]"
    yield f"roof = {_quoted(ceiling.roof)}"
    yield f"pct_of_roof = {ceiling.pct_of_roof:.2f}"
    yield f"per_s = {ceiling.per_s:.6g}"
    yield f"roof_per_s = {ceiling.roof_per_s:.6g}"
    yield f"unit = {_quoted(ceiling.unit)}"
    yield f"kernel = {_quoted(ceiling.kernel)}"
    yield f"report = {_quoted(ceiling.report)}"
    for name in ("clock_hz", "duration_ns"):
        if (value := getattr(ceiling, name)) is not None:
            yield f"{name} = {value:.6g}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    import json

    return json.dumps(text)

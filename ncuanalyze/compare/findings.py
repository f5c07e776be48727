"""Findings gone, new, grown or shrunk, and what the base's finding promised against what was measured."""

from __future__ import annotations

from collections.abc import Iterable

from ncuanalyze.compare.comparison import Fate, FindingChange, Promise
from ncuanalyze.compare.noise import Noise
from ncuanalyze.diagnosis import Finding, KernelDiagnosis, Speedup

CAUSE = "cause"


def finding_changes(base: KernelDiagnosis, new: KernelDiagnosis, noise: Noise) -> tuple[FindingChange, ...]:
    """Every cause that either side found, those of the base first, each in its order of rank."""
    old, fresh = _causes(base.findings), _causes(new.findings)
    changes = [_change(finding, fresh.get(id_), noise) for id_, finding in old.items()]
    changes += [
        FindingChange(
            id=id_,
            title=item.title,
            fate=Fate.NEW,
            base=None,
            new=item.speedup,
            source_lines=item.source_lines,
        )
        for id_, item in fresh.items()
        if id_ not in old
    ]
    return tuple(changes)


def promise_of(changes: Iterable[FindingChange], measured: float | None, noise: Noise) -> Promise | None:
    """The highest promise among the base's findings that are gone or shrunk, else of the one still there.

    ``measured`` is base over new. Several findings gone share one measured gain; ``others`` names them.
    """
    promised = [change for change in changes if change.base is not None and change.fate is not Fate.NEW]
    if measured is None or not promised:
        return None
    taken = [change for change in promised if change.fate in (Fate.GONE, Fate.SHRUNK)]
    best = max(taken or promised, key=_promised)
    if best.base is None:
        return None
    return Promise(
        id=best.id,
        title=best.title,
        promised=best.base,
        measured=measured,
        outcome=_outcome(best.base, measured, noise) if taken else "not taken",
        others=tuple(change.id for change in taken if change is not best),
    )


def _causes(findings: Iterable[Finding]) -> dict[str, Finding]:
    """The causes by id; of several with one id the highest-ranked (first) stands."""
    found: dict[str, Finding] = {}
    for finding in findings:
        if finding.kind == CAUSE:
            found.setdefault(finding.id, finding)
    return found


def _change(old: Finding, fresh: Finding | None, noise: Noise) -> FindingChange:
    fate = Fate.GONE if fresh is None else _fate(old.speedup, fresh.speedup, noise)
    return FindingChange(
        id=old.id,
        title=old.title,
        fate=fate,
        base=old.speedup,
        new=fresh.speedup if fresh else None,
        source_lines=(fresh or old).source_lines,
    )


def _fate(old: Speedup | None, fresh: Speedup | None, noise: Noise) -> Fate:
    if old is None or fresh is None:
        return Fate.KEPT
    ratio = fresh.estimate / old.estimate if old.estimate > 0 else 1.0
    if ratio > noise.finding_grown_ratio:
        return Fate.GROWN
    return Fate.SHRUNK if ratio < 1.0 / noise.finding_grown_ratio else Fate.KEPT


def _outcome(promised: Speedup, measured: float, noise: Noise) -> str:
    """Kept within the promised range, give or take the change that counts."""
    room = noise.threshold_pct / 100.0
    if measured < promised.low * (1 - room):
        return "less"
    return "more" if measured > promised.high * (1 + room) else "kept"


def _promised(change: FindingChange) -> float:
    return change.base.estimate if change.base else 0.0

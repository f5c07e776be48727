"""``compare``: two sets of diagnoses to one comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ncuanalyze.compare.comparison import (
    Comparison,
    Difference,
    KernelComparison,
    KernelSide,
    Verdict,
    Weight,
)
from ncuanalyze.compare.fairness import clocks_against_time, kernel_differences, run_differences
from ncuanalyze.compare.launches import Launch, groups_of, launches_of
from ncuanalyze.compare.matching import Match, Matching, Pair, match_groups, match_pairs
from ncuanalyze.compare.noise import Noise, noise
from ncuanalyze.compare.sides import kernel_side, report_side
from ncuanalyze.compare.totals import total_of, total_verdict, with_shares
from ncuanalyze.compare.verdict import Judgement, change_pct, judge, judge_in_pairs
from ncuanalyze.compare.why import why
from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.errors import InvalidInput


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to compare. ``threshold_pct`` None is the shipped one; ``force`` lets an unfair time speak."""

    threshold_pct: float | None = None
    force: bool = False
    pairs: tuple[Pair, ...] = ()
    base_label: str = ""
    new_label: str = ""


def compare(base: Sequence[Diagnosis], new: Sequence[Diagnosis], options: Options | None = None) -> Comparison:
    """Compare two sides, each one or several diagnoses.

    Raises InvalidInput where a side is empty, a pair names no kernel, or the threshold makes no sense.
    """
    options, figures = options or Options(), noise()
    threshold = _threshold(options, figures)
    runs = run_differences(base, new)
    matching = _match(launches_of(base), launches_of(new), options.pairs)
    kernels = [_kernel(match, runs, threshold, options.force, figures) for match in matching.matches]
    vanished = tuple(kernel_side(group, figures) for group in matching.vanished)
    appeared = tuple(kernel_side(group, figures) for group in matching.appeared)
    total = total_of(kernels, vanished, appeared)
    shared = with_shares(kernels, total)
    verdict, reason, _ = total_verdict(shared, total)
    return Comparison(
        base=report_side(base, options.base_label),
        new=report_side(new, options.new_label),
        verdict=verdict,
        reason=reason,
        threshold_pct=threshold,
        forced=options.force,
        total=total,
        kernels=shared,
        vanished=vanished,
        appeared=appeared,
        differences=runs,
        warnings=tuple(dict.fromkeys(text for side in (base, new) for item in side for text in item.warnings)),
        tool=next((item.tool for item in new), ""),
    )


def _threshold(options: Options, figures: Noise) -> float:
    threshold = figures.threshold_pct if options.threshold_pct is None else options.threshold_pct
    if not 0 <= threshold < 1000:
        raise InvalidInput(f"a threshold of {threshold:g}% makes no sense", hint="give a percentage such as 3")
    return threshold


def _match(base: Sequence[Launch], new: Sequence[Launch], pairs: Sequence[Pair]) -> Matching:
    for side, launches in (("base", base), ("new", new)):
        if not launches:
            raise InvalidInput(f"the {side} side holds no kernel", hint="check the filter and the report")
    return match_pairs(base, new, pairs) if pairs else match_groups(groups_of(base), groups_of(new))


def _kernel(
    match: Match, runs: Sequence[Difference], threshold_pct: float, force: bool, figures: Noise
) -> KernelComparison:
    base, new = kernel_side(match.base, figures), kernel_side(match.new, figures)
    judged = judge(base.spread, new.spread, threshold_pct, figures)
    if judged.verdict is Verdict.INCONCLUSIVE:
        judged = judge_in_pairs(match.base.durations, match.new.durations, threshold_pct, figures) or judged
    differences = kernel_differences(base, new, figures)
    speedup = _speedup(base, new)
    fair, by_cycles, cycles_change = _fair(judged, base, new, (*runs, *differences), force, figures)
    return KernelComparison(
        name=new.diagnosis.kernel.demangled or new.diagnosis.kernel.name,
        match=match.by,
        notes=(*match.notes, *_count_notes(base, new)),
        base=base,
        new=new,
        verdict=fair.verdict,
        reason=fair.reason,
        threshold_pct=judged.threshold_pct,
        change_pct=_change(base, new),
        speedup=speedup,
        cycles_change_pct=cycles_change,
        verdict_by_time=judged.verdict,
        verdict_by_cycles=by_cycles,
        differences=differences,
        why=why(base.diagnosis, new.diagnosis, speedup, judged.verdict, figures),
    )


def _fair(
    judged: Judgement,
    base: KernelSide,
    new: KernelSide,
    differences: Sequence[Difference],
    force: bool,
    noise: Noise,
) -> tuple[Judgement, Verdict | None, float | None]:
    """The verdict after fairness, what the cycles say, and their change in %."""
    domain, by_cycles, disagree = clocks_against_time(base, new, judged.verdict, judged.threshold_pct, noise)
    cycles_change = domain.cycles_change_pct if domain else None
    spoilt = [item for item in differences if item.weight is Weight.MEANINGLESS]
    reasons = [f"{item.what} differs ({item.base or 'unknown'} against {item.new or 'unknown'})" for item in spoilt]
    if domain and disagree:
        old, fresh = _cycles_text(domain.base_cycles), _cycles_text(domain.new_cycles)
        reasons.append(
            f"{domain.name} cycles: {old} against {fresh}, {_cycles_verdict(by_cycles)}; the time says "
            f"{judged.verdict} at {domain.base_hz / 1e9:.2f} GHz against {domain.new_hz / 1e9:.2f} GHz"
        )
    if not reasons or judged.verdict is Verdict.INCONCLUSIVE:
        return judged, by_cycles, cycles_change
    if force:
        return (
            replace(judged, reason=f"forced: {judged.reason}; but {'; '.join(reasons)}"),
            by_cycles,
            cycles_change,
        )
    return replace(judged, verdict=Verdict.INCONCLUSIVE, reason="; ".join(reasons)), by_cycles, cycles_change


def _cycles_verdict(verdict: Verdict | None) -> str:
    return {Verdict.SAME: "not faster and not slower"}.get(verdict or Verdict.SAME, f"{verdict}")


def _cycles_text(cycles: float) -> str:
    for scale, suffix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if cycles >= scale:
            return f"{cycles / scale:.3g}{suffix}"
    return f"{cycles:.0f}"


def _speedup(base: KernelSide, new: KernelSide) -> float | None:
    if not base.spread or not new.spread or new.spread.median_ns <= 0 or base.spread.median_ns <= 0:
        return None
    return base.spread.median_ns / new.spread.median_ns


def _change(base: KernelSide, new: KernelSide) -> float | None:
    if not base.spread or not new.spread:
        return None
    return change_pct(base.spread.median_ns, new.spread.median_ns)


def _count_notes(base: KernelSide, new: KernelSide) -> tuple[str, ...]:
    if base.launches_per_run == new.launches_per_run:
        return ()
    return (f"launched {new.launches_per_run:g} times instead of {base.launches_per_run:g}",)

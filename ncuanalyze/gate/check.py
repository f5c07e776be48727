"""``check``: a diagnosis against a budget file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ncuanalyze.compare.launches import Group, groups_of, launches_of
from ncuanalyze.diagnosis import Diagnosis, SourceLine
from ncuanalyze.errors import InvalidInput, NcuAnalyzeError
from ncuanalyze.gate.budget import Budget, BudgetFile, Stated
from ncuanalyze.gate.evaluate import Judged, judge_comparison, judge_findings
from ncuanalyze.gate.expression import NoFinding
from ncuanalyze.gate.outcome import CheckResult, Outcome
from ncuanalyze.pattern import glob


def check(
    diagnosis: Diagnosis, budgets: BudgetFile, *, advisory: bool = False, finding_ids: Collection[str] = ()
) -> CheckResult:
    """Judge every assertion on every kernel that its budget picks; launches of one shape count as one kernel.

    ``advisory`` makes every failure a word only; ``finding_ids`` are the ids that ``no finding ID`` may
    name. Raises InvalidInput for names and units that cannot be right.
    """
    groups = groups_of(launches_of([diagnosis]))
    outcomes: list[Outcome] = []
    unmatched = []
    for budget in budgets.budgets:
        picked = [group for group in groups if budget.picks(group.first.kernel)]
        outcomes += [_outcome(stated, budget, group, finding_ids) for group in picked for stated in budget.assertions]
        if not picked and not budget.optional and not budget.advisory:
            unmatched.append(budget.kernel + (f" in {budget.nvtx}" if budget.nvtx else ""))
    if advisory:
        outcomes = [replace(item, advisory=True) for item in outcomes]
    return CheckResult(
        budget=budgets.name,
        source=diagnosis.source,
        device=diagnosis.device,
        outcomes=tuple(outcomes),
        unmatched=tuple(unmatched),
        problems=_problems(diagnosis, budgets),
        tool=diagnosis.tool,
        advisory=advisory,
    )


def _problems(diagnosis: Diagnosis, budgets: BudgetFile) -> tuple[str, ...]:
    gpu = diagnosis.device.name
    if not budgets.gpu or gpu is None or glob(budgets.gpu).finds(gpu):
        return ()
    return (f"the budget is for {budgets.gpu}, the report is of {gpu}",)


def _outcome(stated: Stated, budget: Budget, group: Group, finding_ids: Collection[str]) -> Outcome:
    judged = _judged(stated, budget, group, finding_ids)
    return Outcome(
        kernel=group.first.kernel,
        launches=len(group.launches),
        assertion=stated.text,
        status=judged.status,
        advisory=budget.advisory,
        measured=judged.measured,
        limit=judged.limit,
        unit=judged.unit,
        relation=judged.relation,
        note=judged.note,
        source_lines=_lines(group),
    )


def _judged(stated: Stated, budget: Budget, group: Group, finding_ids: Collection[str]) -> Judged:
    launches = [launch.diagnosis for launch in group.launches]
    try:
        if isinstance(stated.assertion, NoFinding):
            return judge_findings(stated.assertion, launches, finding_ids)
        return judge_comparison(stated.assertion, launches, budget.tolerance_pct)
    except NcuAnalyzeError as error:
        raise InvalidInput(f"{budget.kernel}: {stated.text}: {error}", hint=error.hint) from error


def _lines(group: Group) -> tuple[SourceLine, ...]:
    found: Sequence[SourceLine] = ()
    for finding in group.typical.findings:
        found = found or finding.source_lines
    return tuple(found)

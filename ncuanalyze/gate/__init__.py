"""Budgets: assertions on a report, checked in CI."""

from ncuanalyze.gate.budget import Budget, BudgetFile, parse_budget, read_budget
from ncuanalyze.gate.check import check
from ncuanalyze.gate.outcome import SCHEMA, CheckResult, Outcome, Status
from ncuanalyze.gate.parser import parse
from ncuanalyze.gate.propose import propose
from ncuanalyze.gate.quantity import quantities

__all__ = [
    "SCHEMA",
    "Budget",
    "BudgetFile",
    "CheckResult",
    "Outcome",
    "Status",
    "check",
    "parse",
    "parse_budget",
    "propose",
    "quantities",
    "read_budget",
]

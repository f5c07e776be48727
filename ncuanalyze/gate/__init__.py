"""Budgets: assertions on a report, checked in CI."""

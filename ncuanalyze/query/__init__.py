"""Asks a dataset that ``ncuanalyze batch`` wrote: named questions and the user's own SQL, through DuckDB."""

from ncuanalyze.query.answer import Answer
from ncuanalyze.query.ask import ask, ask_sql, asked, asked_sql
from ncuanalyze.query.question import Choices, Question, questions
from ncuanalyze.query.results import Results
from ncuanalyze.query.statements import has_statement
from ncuanalyze.query.teams import Teams

__all__ = [
    "Answer",
    "Choices",
    "Question",
    "Results",
    "Teams",
    "ask",
    "ask_sql",
    "asked",
    "asked_sql",
    "has_statement",
    "questions",
]

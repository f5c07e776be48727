"""Read and check ncu ``.section`` files: ncu drops a bad file and shows a bad metric as no data."""

from ncuanalyze.section_lint.lint import check_file, check_text
from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.section import MetricUse, SectionFile, read_section
from ncuanalyze.section_lint.text_format import Block, Field, Scalar, SectionSyntaxError, parse

__all__ = [
    "Block",
    "Field",
    "Level",
    "MetricUse",
    "Problem",
    "Scalar",
    "SectionFile",
    "SectionSyntaxError",
    "check_file",
    "check_text",
    "parse",
    "read_section",
]

"""The operators that the model knows: FLOP and bytes from their sizes."""

from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.operators.registry import OPERATORS, find_operator, work_of

__all__ = ["OPERATORS", "Operator", "Parameter", "Values", "find_operator", "work_of"]

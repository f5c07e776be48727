"""Errors a user can act on: each carries a hint that says what to do next."""


class NcuAnalyzeError(Exception):
    """Base of every error this package raises on purpose.

    ``str(error)`` is one sentence on what is wrong; ``error.hint`` is what to do next.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UnreadableReport(NcuAnalyzeError):
    """The file is damaged, empty, truncated, or holds nothing to judge."""


class UnknownFormat(NcuAnalyzeError):
    """The file is none of the forms this package reads."""


class SavedDiagnosis(UnknownFormat):
    """The file is no report but a diagnosis saved as JSON: ``document`` holds it, parsed."""

    def __init__(self, message: str, document: dict[str, object], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.document = document


class ProfilingFailed(NcuAnalyzeError):
    """The file is the log of an ``ncu`` run that failed; the message names ncu's own error."""


class MissingDependency(NcuAnalyzeError):
    """An optional library is needed for this input or output and is not installed."""


class RuleSetError(NcuAnalyzeError):
    """A rule folder or a thresholds file is malformed."""


class InvalidInput(NcuAnalyzeError):
    """Something the user gave (an option, a budget, a workload, a GPU name) cannot be used as it stands."""


class InvalidOption(InvalidInput):
    """The command line itself is wrong, whatever the files hold: the command line ends as for other usage errors."""

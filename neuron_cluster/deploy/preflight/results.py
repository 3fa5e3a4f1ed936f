"""The result of a preflight: a verdict on each check, and the exit status that they have together."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from neuron_cluster.deploy.preflight.check import PreflightCheck
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.protocol.preflight import Part

PASSED, COULD_NOT_LOOK, NOT_PASSED = 0, 1, 3
"""Exit statuses of `preflight`, as of `status` and `drift`."""
UNCHECKED = frozenset({"W9545", "W9556"})
"""Findings about a call without an answer, or a subject that is not known."""


class Verdict(enum.Enum):
    """The verdicts, the worst first."""

    ERROR = "error"
    """A deploy stops at it."""
    WARNING = "warning"
    """A deploy continues, and something may fail later."""
    NOT_CHECKED = "not_checked"
    """A call was not answered, or could not be made: nothing is known."""
    PASSED = "passed"
    """Every call was answered, and there is no finding."""
    NOT_NEEDED = "not_needed"
    """The environment has nothing of the kind; no call was made."""


ORDER = list(Verdict)


class CheckResult(Struct, frozen=True):
    """The result of one check."""

    check: PreflightCheck
    subjects: tuple[str, ...] = ()
    """Names of what was looked at; empty for a check that is not needed."""
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """Why it was not made, or is not needed."""
    error: ToolkitError | None = None
    """The error that ended it."""

    @property
    def verdict(self) -> Verdict:
        """The worst of its findings."""
        if any(finding.severity is Severity.ERROR for finding in self.findings):
            return Verdict.ERROR
        if any(finding.id not in UNCHECKED for finding in self.findings):
            return Verdict.WARNING
        if self.is_unchecked:
            return Verdict.NOT_CHECKED
        return Verdict.PASSED if self.subjects else Verdict.NOT_NEEDED

    @property
    def is_unchecked(self) -> bool:
        """Whether a part of it is not known, whatever else was found."""
        is_cut_short = self.error is not None or (bool(self.subjects) and bool(self.reason))
        return is_cut_short or any(finding.id in UNCHECKED for finding in self.findings)


class EnvironmentPreflight(Struct, frozen=True):
    """The results of all checks at one moment."""

    environment: str
    account: str
    region: str
    at: datetime
    results: tuple[CheckResult, ...]
    not_looked_at: tuple[str, ...] = ()
    """Parts of a deploy that no check is about, each with what shows it."""

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    def of(self, part: Part) -> tuple[CheckResult, ...]:
        """The results of one part, the worst first."""
        found = [result for result in self.results if result.check.part is part]
        return tuple(sorted(found, key=lambda result: ORDER.index(result.verdict)))

    @property
    def parts(self) -> list[Part]:
        """Parts by their worst verdict, then in their own order."""
        return sorted((part for part in Part if self.of(part)), key=lambda part: ORDER.index(worst(self.of(part))))

    def exit_status(self, fail_on: Verdict) -> int:
        """3 for a check as bad as ``fail_on`` or worse, 1 where something is not known, else 0."""
        if {result.verdict for result in self.results} & {Verdict.ERROR, fail_on}:
            return NOT_PASSED
        return COULD_NOT_LOOK if any(result.is_unchecked for result in self.results) else PASSED


def worst(results: Iterable[CheckResult]) -> Verdict:
    """The worst verdict; not needed without any."""
    return min((result.verdict for result in results), key=ORDER.index, default=Verdict.NOT_NEEDED)

"""The preflight of an environment as cases of a test report, one for each check."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.deploy.preflight.results import CheckResult, EnvironmentPreflight, Verdict
from neuron_cluster.findings.finding import Finding
from neuron_cluster.report.junit import Outcome, TestCase


def preflight_as_cases(found: EnvironmentPreflight, fail_on: Verdict) -> Iterator[TestCase]:
    """Yields a failure for a verdict as bad as ``fail_on``, and a skipped case for a check that was not made."""
    for part in found.parts:
        for result in found.of(part):
            outcome = _outcome(result, fail_on)
            kind = result.findings[0].id if result.findings else ""
            text = "\n\n".join(map(_text, result.findings))
            yield TestCase(part.value, result.check.what, outcome, kind, _message(result), text)


def _outcome(result: CheckResult, fail_on: Verdict) -> Outcome:
    if result.verdict in (Verdict.ERROR, fail_on):
        return Outcome.FAILED
    is_made = result.verdict in (Verdict.WARNING, Verdict.PASSED) and not result.is_unchecked
    return Outcome.PASSED if is_made else Outcome.SKIPPED


def _message(result: CheckResult) -> str:
    text = "; ".join(finding.message for finding in result.findings) or result.reason
    if result.verdict is Verdict.NOT_NEEDED:
        return f"not needed: {text}"
    return f"not checked: {text}" if result.verdict is Verdict.NOT_CHECKED else text


def _text(finding: Finding) -> str:
    place = " ".join(word for word in (finding.id, str(finding.location), finding.location.path) if word)
    return f"{place}\n{finding.message}\n{finding.hint}".rstrip("\n")

"""Test reports in the JUnit XML format, which CI systems read.

Source: https://github.com/testmoapp/junitxml, as no standard exists.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from msgspec import Struct

from neuron_cluster.findings.text import printable


class Outcome(enum.Enum):
    """The outcome of one case."""

    PASSED = "passed"
    FAILED = "failure"
    SKIPPED = "skipped"


class TestCase(Struct, frozen=True):
    """One case of a report."""

    __test__ = False  # no class of tests

    suite: str
    name: str
    outcome: Outcome
    kind: str = ""
    """The kind of a failure, such as the id of a finding."""
    message: str = ""
    text: str = ""


def junit_text(name: str, cases: Iterable[TestCase]) -> str:
    """One report with a suite for each group of cases. Characters that XML does not have are written out."""
    by_suite: dict[str, list[TestCase]] = {}
    for case in cases:
        by_suite.setdefault(case.suite, []).append(case)
    root = ET.Element("testsuites", {"name": name, **_counts([each for rows in by_suite.values() for each in rows])})
    for title, rows in by_suite.items():
        suite = ET.SubElement(root, "testsuite", {"name": title, **_counts(rows)})
        for case in rows:
            _add_case(suite, case)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def _add_case(suite: ET.Element, case: TestCase) -> None:
    element = ET.SubElement(suite, "testcase", {"classname": case.suite, "name": printable(case.name)})
    if case.outcome is not Outcome.PASSED:
        attributes = {"message": printable(case.message)} | ({"type": case.kind} if case.kind else {})
        ET.SubElement(element, case.outcome.value, attributes).text = printable(case.text) or None
    elif case.text:
        ET.SubElement(element, "system-out").text = printable(case.text)


def _counts(cases: Sequence[TestCase]) -> dict[str, str]:
    outcomes = [case.outcome for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(outcomes.count(Outcome.FAILED)),
        "errors": "0",
        "skipped": str(outcomes.count(Outcome.SKIPPED)),
    }

"""Test reports in the JUnit XML format."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from neuron_cluster.report.junit import Outcome, TestCase, junit_text


def test_outcomes_are_counted_and_each_suite_has_its_cases() -> None:
    cases = [
        TestCase("a", "one", Outcome.PASSED),
        TestCase("b", "two", Outcome.FAILED, "E1", "wrong", "text"),
        TestCase("a", "three", Outcome.SKIPPED, message="not made"),
    ]
    root = ET.fromstring(junit_text("all", cases))  # noqa: S314 - our own output
    assert root.attrib == {"name": "all", "tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    assert [(suite.attrib["name"], len(suite)) for suite in root] == [("a", 2), ("b", 1)]
    (failure,) = root.iter("failure")
    assert (failure.attrib, failure.text) == ({"message": "wrong", "type": "E1"}, "text")


def test_characters_that_xml_does_not_have_are_written_out() -> None:
    text = junit_text("all", [TestCase("a", "b", Outcome.FAILED, "E1", "\x1b[31m \x00", "<&> \ud800")])
    (failure,) = ET.fromstring(text).iter("failure")  # noqa: S314 - our own output
    assert (failure.attrib["message"], failure.text) == ("\\x1b[31m \\x00", "<&> \\ud800")


def test_a_case_that_passed_keeps_its_warnings() -> None:
    (out,) = ET.fromstring(junit_text("all", [TestCase("a", "b", Outcome.PASSED, text="a warning")])).iter("system-out")  # noqa: S314
    assert out.text == "a warning"

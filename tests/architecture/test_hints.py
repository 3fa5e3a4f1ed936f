"""Every finding has its hints followed in a test, so that a new one without such a test fails here.

Rules and laws say in their fixtures how (``follow``). The test that does so for any other finding is marked with its
id: ``@pytest.mark.hints("E9005")``.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.cli.explained_findings import finding_pages
from neuron_cluster.manifest_law.discover import all_laws as all_manifest_laws
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.template_law.discover import all_laws

TESTS = Path(__file__).parents[1]
MARK = "hints"
NOT_FOLLOWED_YET = {
    "E9201", "E9202", "E9203", "E9204", "E9205", "E9206", "E9207", "E9208", "E9209", "E9210", "E9211", "E9212",
    "E9213", "E9214", "E9221", "E9222", "E9223", "E9224", "E9226", "E9228", "E9241", "E9242", "E9243", "E9301",
    "E9302", "E9305", "E9500",
    "W9215", "W9216",
    "W9218", "W9219", "W9220", "W9225", "W9227", "W9229", "W9230", "W9231", "W9244", "W9245", "W9303", "W9304",
    "W9306",
}  # fmt: skip
"""The set only shrinks."""
NOTHING_TO_DO = {
    "E9530": "has no hint: the message is what the CDK app wrote",
}
"""Findings whose hints name no edit and no command that a test could carry out, with the reason."""


@functools.cache
def followed() -> dict[str, tuple[str, ...]]:
    """The tests that follow the hints of a finding, by its id."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for test, finding_id in _marked(ast.parse(file.read_text("utf-8"))):
            found.setdefault(finding_id, []).append(f"{file.relative_to(TESTS)}::{test}")
    return {finding_id: tuple(tests) for finding_id, tests in found.items()}


def _marked(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{MARK}":
                    yield from ((node.name, ast.literal_eval(argument)) for argument in decorator.args)


def with_fixtures() -> set[str]:
    return {each.id for each in (*all_rules(), *all_laws(), *all_manifest_laws())}


def test_the_hints_of_every_finding_are_followed_somewhere() -> None:
    found = finding_pages().keys() - with_fixtures() - followed().keys() - NOTHING_TO_DO.keys()
    assert found == NOT_FOLLOWED_YET


def test_every_mark_is_of_a_finding_that_has_no_fixture() -> None:
    assert sorted(followed().keys() - finding_pages().keys()) == []
    assert sorted(followed().keys() & with_fixtures()) == []


def test_what_is_left_out_has_a_reason_and_no_test() -> None:
    assert sorted(NOTHING_TO_DO.keys() & followed().keys()) == []
    assert sorted(NOTHING_TO_DO.keys() - finding_pages().keys()) == []
    assert all(NOTHING_TO_DO.values())

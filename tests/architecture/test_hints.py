"""Every finding has its hints followed in a test, so that a new one without such a test fails here.

rules say in their fixtures how (``follow``). The test that does so for any other finding is marked with its
id: ``@pytest.mark.hints("E9005")``.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.schedulers.kubernetes.manifest_rules.discover import all_manifest_rules
from neuron_cluster.template_rules.discover import all_template_rules

TESTS = Path(__file__).parents[1]
MARK = "hints"
NOTHING_TO_DO = {
    "E9530": "has no hint: the message is what the CDK app wrote",
    "W9216": "says that there is nothing to do, or that a move to another framework is to be planned",
    "W9219": "the software is installed in the cluster by its user, and no object or file says that it is there",
    "W9231": "the claim is made in the cluster, and no object or file says that it is there",
}
"""Findings whose hints name no edit and no command that a test could carry out, with the reason."""


@functools.cache
def followed() -> dict[str, tuple[str, ...]]:
    """The tests that follow the hints of a finding, by its id."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text("utf-8")
        for test, finding_id in _marked(ast.parse(text)) if f"mark.{MARK}" in text else ():
            found.setdefault(finding_id, []).append(f"{file.relative_to(TESTS)}::{test}")
    return {finding_id: tuple(tests) for finding_id, tests in found.items()}


def _marked(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{MARK}":
                    yield from ((node.name, ast.literal_eval(argument)) for argument in decorator.args)


def with_fixtures() -> set[str]:
    return {each.id for each in (*all_rules(), *all_template_rules(), *all_manifest_rules())}


def test_the_hints_of_every_finding_are_followed_somewhere() -> None:
    assert sorted(finding_specs().keys() - with_fixtures() - followed().keys() - NOTHING_TO_DO.keys()) == []


def test_every_mark_is_of_a_finding_that_has_no_fixture() -> None:
    assert sorted(followed().keys() - finding_specs().keys()) == []
    assert sorted(followed().keys() & with_fixtures()) == []


def test_what_is_left_out_has_a_reason_and_no_test() -> None:
    assert sorted(NOTHING_TO_DO.keys() & followed().keys()) == []
    assert sorted(NOTHING_TO_DO.keys() - finding_specs().keys()) == []
    assert all(NOTHING_TO_DO.values())

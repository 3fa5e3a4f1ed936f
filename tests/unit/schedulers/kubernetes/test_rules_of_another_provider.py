"""Rules about Kubernetes find the same in the section of another provider than EKS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from rule_findings import findings_of_rule
from rule_fixture import Case, rule_fixture

from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import register, unregister
from neuron_cluster.rules.base import Needs, Rule, RuleContext
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.another_provider import HUB, KEY

RULES = {rule.id: rule for rule in all_rules() if type(rule).__module__.startswith(f"{KUBERNETES.rule_package}.")}
NAMES_EKS = re.compile(r"\beks\.")
OF_EKS = "ami_release"
"""A key of `eks` alone: another provider has its own way to name the image of its nodes."""
BAD = [
    pytest.param(rule_id, case, id=f"{rule_id}-bad-{number}")
    for rule_id in RULES
    for number, case in enumerate(rule_fixture(rule_id).bad)
    if "eks" in case.tree() and not any(OF_EKS in path for path in case.paths)
]
OF_FILE = [case for case in BAD if RULES[case.values[0]].needs is not Needs.PLAN]
OF_PLAN = [case for case in BAD if RULES[case.values[0]].needs is Needs.PLAN]


class CaseOfHub(Case, frozen=True):
    """The same environment, whose cluster is one of the hub."""

    def tree(self) -> Any:
        return {KEY if key == "eks" else key: part for key, part in super().tree().items()}


@pytest.fixture(scope="module", autouse=True)
def hub() -> Iterator[None]:
    """Registered once: each registration builds the model of the file again."""
    register(HUB)
    yield
    unregister(HUB)


def found(rule: Rule, case: Case, folder: Path) -> list[tuple[str, ...]]:
    findings = findings_of_rule(rule, case, folder)
    return [(str(finding.location.path), finding.message, finding.hint) for finding in findings]


def test_the_scheduler_has_rules_about_the_file_and_the_plan() -> None:
    assert {rule.needs for rule in RULES.values()} >= {Needs.FILE, Needs.PLAN}


@every_case("rule_id, case", OF_FILE, group=lambda name: name[:2])
def test_a_rule_finds_the_same_in_the_section_of_another_provider(rule_id: str, case: Case, tmp_path: Path) -> None:
    expected = found(RULES[rule_id], case, tmp_path)
    assert expected
    actual = found(RULES[rule_id], CaseOfHub(**asdict(case)), tmp_path)
    assert [tuple(re.sub(rf"\b{KEY}\b", "eks", text) for text in each) for each in actual] == expected
    assert NAMES_EKS.search(str(actual)) is None


@every_case("rule_id, case", OF_PLAN, group=lambda name: name[:2])
def test_a_hint_names_a_key_of_the_section_in_the_plan(rule_id: str, case: Case, tmp_path: Path) -> None:
    checked = check_environment(case.write(tmp_path), catalog=case.catalog, as_of=case.as_of)
    draft = checked.require_draft()
    assert draft.kubernetes is not None
    plan = replace(draft, providers=(replace(draft.kubernetes, path=(KEY,)),))
    context = RuleContext(environment=checked.require_resolved(), catalog=case.catalog, given_plan=plan)
    violations = list(RULES[rule_id].check(context))
    assert violations
    assert [each for each in violations if NAMES_EKS.search(f"{each.message} {each.hint}")] == []

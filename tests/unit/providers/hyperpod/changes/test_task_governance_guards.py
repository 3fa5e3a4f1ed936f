"""Changes of task governance that stop a deploy, or of which it warns: on hyperpod-teams' templates."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import EffectKind
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.providers.hyperpod.changes.resource_kinds import COMPUTE_QUOTA, SCHEDULER_CONFIG

CATALOG = load_catalog()
NAME, PART = "hyperpod-teams", "governance"
OWN_KUEUE = {
    "hyperpod.task_governance": None,
    "hyperpod.groups.0.queue": "training",
    "teams.0.namespaces": [{"name": "research"}],
    "teams.1.namespaces": [{"name": "serving"}],
}
"""Edits to the toolkit's Kueue."""
WITHOUT = {"hyperpod.task_governance": None, "teams": None}

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]


@pytest.fixture(scope="module")
def deployed(templates_of: TemplatesOf) -> Templates:
    return templates_of(NAME)


def findings(before: Templates, after: Templates, rule_id: str) -> list[Finding]:
    return [each for each in change_findings(before, after, CATALOG) if each.id == rule_id]


def with_quota(templates: Templates, **properties: Any) -> Templates:
    new = copy.deepcopy(templates)
    new[PART]["Resources"]["Quotaresearch"]["Properties"] |= properties
    return new


@pytest.mark.hints("E9085")
def test_task_governance_over_the_kueue_of_the_toolkit_is_an_error(
    deployed: Templates, templates_of: TemplatesOf
) -> None:
    own, without = templates_of(NAME, OWN_KUEUE), templates_of(NAME, WITHOUT)
    (error,) = findings(own, deployed, "E9085")
    assert error.severity is Severity.ERROR
    assert error.message.startswith("the toolkit's Kueue is deployed")
    assert findings(own, without, "E9085") == [], "the first step of the hint"
    assert findings(without, deployed, "E9085") == [], "the third one"
    (_, _, destroy) = commands_in(error.hint)
    assert not command_error(destroy.replace("NAME", NAME))


def test_an_environment_that_starts_with_task_governance_has_no_finding(deployed: Templates) -> None:
    assert findings({}, deployed, "E9085") == []
    assert findings(deployed, deployed, "E9085") == []


@pytest.mark.hints("W9086")
def test_a_team_that_leaves_the_file_may_lose_its_namespace(deployed: Templates, templates_of: TemplatesOf) -> None:
    (warning,) = findings(deployed, templates_of(NAME, {"teams.1": None}), "W9086")
    assert warning.severity is Severity.WARNING
    assert warning.message.startswith("the compute quota hyperpod-teams-serving is deleted, and its queue with it")
    assert "`kubectl get persistentvolumeclaims --namespace hyperpod-ns-serving`" in warning.hint
    assert len(findings(deployed, templates_of(NAME, WITHOUT), "W9086")) == 2
    assert findings(deployed, deployed, "W9086") == []


@pytest.mark.hints("E9087")
@pytest.mark.parametrize(
    "properties",
    [{"Name": "other"}, {"ComputeQuotaTarget": {"TeamName": "other", "FairShareWeight": 2}}],
    ids=["name", "team"],
)
def test_an_edit_that_replaces_a_compute_quota_is_an_error(deployed: Templates, properties: Mapping[str, Any]) -> None:
    after = with_quota(deployed, **properties)
    (error,) = findings(deployed, after, "E9087")
    assert error.severity is Severity.ERROR
    assert "would be replaced, and the old one deleted first, because" in error.message
    without = {part: template for part, template in deployed.items() if part != PART}
    for before, then in ((deployed, deployed), (deployed, without), (without, after)):
        assert findings(before, then, "E9087") == [], "the steps of the hint"


@pytest.mark.parametrize(
    "edits",
    [
        {"teams.0.quota.0.devices": 16},
        pytest.param({"teams.0.quota.0.borrow": 0}, marks=pytest.mark.exhaustive),
        pytest.param({"teams.0.weight": 3}, marks=pytest.mark.exhaustive),
        {"hyperpod.task_governance.fair_share": False},
        pytest.param({"hyperpod.task_governance.priority_classes": []}, marks=pytest.mark.exhaustive),
        {"hyperpod.groups.0.count.desired": 8},
    ],
    ids=",".join,
)
def test_other_edits_change_policies_in_place(
    deployed: Templates, templates_of: TemplatesOf, edits: Mapping[str, Any]
) -> None:
    comparison = Comparison(deployed, templates_of(NAME, edits), CATALOG)
    kinds = {each.kind for each in comparison.effects() if each.type in (COMPUTE_QUOTA, SCHEDULER_CONFIG)}
    assert kinds == {EffectKind.UPDATED}

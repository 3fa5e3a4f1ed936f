"""The stack of task governance: what it makes, in which order, and what other stacks leave to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.providers.hyperpod.changes.resource_kinds import COMPUTE_QUOTA, SCHEDULER_CONFIG
from neuron_cluster.providers.hyperpod.stacks import GOVERNANCE

NAME, STACK = "hyperpod-teams", GOVERNANCE.stack_key
ADDON, OBJECTS = "AWS::EKS::Addon", "Custom::AWSCDK-EKS-KubernetesResource"
SCHEMAS = Path(__file__).parents[3] / "local_aws" / "handlers" / "schemas"

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]


@pytest.fixture(scope="module")
def templates(templates_of: TemplatesOf) -> Templates:
    return templates_of(NAME)


def of_type(template: dict[str, Any], type_name: str) -> dict[str, dict[str, Any]]:
    return {name: each for name, each in template["Resources"].items() if each["Type"] == type_name}


def objects_in(template: dict[str, Any]) -> dict[tuple[str, str, str], str]:
    """Logical id of the resource of each Kubernetes object, by kind, namespace and name."""
    found = {}
    for logical_id, resource in of_type(template, OBJECTS).items():
        manifest = resource["Properties"]["Manifest"]
        text = (
            manifest
            if isinstance(manifest, str)
            else "".join(part if isinstance(part, str) else "x" for part in manifest["Fn::Join"][1])
        )
        for body in json.loads(text):
            metadata = body["metadata"]
            found[body["kind"], metadata.get("namespace", ""), metadata["name"]] = logical_id
    return found


def needs_of(template: dict[str, Any], logical_id: str) -> set[str]:
    """Everything that a resource depends on, directly or not."""
    given = template["Resources"][logical_id].get("DependsOn", [])
    direct = set(given if isinstance(given, list) else [given])
    return direct.union(*(needs_of(template, each) for each in direct))


def test_policies_come_after_the_addon_and_namespaces_after_their_quota(templates: Templates) -> None:
    template = templates[STACK]
    (addon,), (policy,) = of_type(template, ADDON), of_type(template, SCHEDULER_CONFIG)
    quotas = of_type(template, COMPUTE_QUOTA)
    assert set(quotas) == {"Quotaresearch", "Quotaserving"}
    assert addon in needs_of(template, policy)
    for quota in quotas:
        assert addon in needs_of(template, quota)
    objects = objects_in(template)
    for team in ("research", "serving"):
        namespace = objects["Namespace", "", f"hyperpod-ns-{team}"]
        assert f"Quota{team}" in needs_of(template, namespace)
        assert template["Resources"][namespace]["DeletionPolicy"] == "Retain"
        inside = {each for (_, home, _), each in objects.items() if home == f"hyperpod-ns-{team}"}
        assert len(inside) > 1
        for each in inside:
            assert namespace in needs_of(template, each)


def test_what_is_of_one_team_depends_on_no_other_team(templates: Templates) -> None:
    template = templates[STACK]
    objects = objects_in(template)
    policies = [
        each for (kind, _, name), each in objects.items() if kind == "ValidatingAdmissionPolicy" and "research" in name
    ]
    assert len(policies) == 2
    for each in policies:
        assert "Quotaserving" not in needs_of(template, each)


def test_the_cluster_is_referred_to_by_its_arn(templates: Templates) -> None:
    template = templates[STACK]
    for each in (*of_type(template, COMPUTE_QUOTA).values(), *of_type(template, SCHEDULER_CONFIG).values()):
        exported = each["Properties"]["ClusterArn"]["Fn::ImportValue"]
        assert exported in {output["Export"]["Name"] for output in templates["hyperpod"]["Outputs"].values()}


def test_other_stacks_have_nothing_in_namespaces_of_teams(
    templates: Templates, plan_of: Callable[..., ClusterPlan]
) -> None:
    assert "teams" not in templates
    in_software = objects_in(templates["software"])
    assert not [home for _, home, name in in_software if "hyperpod-ns" in home]
    assert ("Namespace", "", "hyperpod-ns-research") not in in_software
    keys = [spec.stack_key for spec in planned_stacks(plan_of(NAME))]
    assert keys.index("hyperpod") < keys.index(STACK)


def test_quotas_have_the_tags_of_the_environment(templates: Templates) -> None:
    (policy,) = of_type(templates[STACK], SCHEDULER_CONFIG).values()
    for quota in of_type(templates[STACK], COMPUTE_QUOTA).values():
        assert quota["Properties"]["Tags"] == policy["Properties"]["Tags"]


def test_an_environment_without_the_key_has_no_such_stack(plan_of: Callable[..., ClusterPlan]) -> None:
    keys = [spec.stack_key for spec in planned_stacks(plan_of("hyperpod-trn2"))]
    assert STACK not in keys


def test_the_number_of_resources_is_known_before_synthesis(
    templates: Templates, plan_of: Callable[..., ClusterPlan]
) -> None:
    assert GOVERNANCE.resources is not None
    made = [each for name, each in templates[STACK]["Resources"].items() if name != "CDKMetadata"]
    assert GOVERNANCE.resources(plan_of(NAME)) == len(made)

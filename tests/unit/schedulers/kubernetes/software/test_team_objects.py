"""Objects of teams by strict schemas of Kubernetes and Kueue, and by the manifest rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from tests.charts.object_schemas import errors
from tests.five_teams import FIVE, team, with_teams

LIMITED = {"node_group": "trn1", "devices": 40, "borrow": 20, "lend": 10}
IMAGES = ["public.ecr.aws/neuron/", "example.com/biology/shell:v1"]
TEAMS = with_teams(
    [*FIVE, team("biology", quota=[LIMITED], namespaces=[{"name": "biology"}, {"name": "trials"}], images=IMAGES)]
)
DRA = {"eks.addons.neuron_dra_driver": True}
POLICIES = {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
KINDS = {"ClusterQueue", "LimitRange", "LocalQueue", "NetworkPolicy", "ResourceQuota", "Role", "RoleBinding", *POLICIES}


def objects(plan: Any) -> list[Mapping[str, Any]]:
    """Returns the objects of teams, and the queues of all namespaces."""
    cluster = plan.kubernetes
    queues = (each for each in cluster.manifests if each.component == "kueue")
    found = [each for manifest in (*cluster.team_manifests, *queues) for each in manifest.objects]
    return [each for each in found if each["kind"] in KINDS]


@pytest.fixture(params=[{}, DRA], ids=["device plugin", "DRA driver"])
def plan(plan_of: Callable[..., Any], request: pytest.FixtureRequest) -> Any:
    return plan_of("train-trn1", {**TEAMS, **request.param})


@pytest.mark.parametrize("version", ["1.33", "1.35"])
def test_every_object_of_a_team_is_valid(plan: Any, version: str) -> None:
    found = objects(plan)
    assert {each["kind"] for each in found} == KINDS
    wrong = {f"{each['kind']} {each['metadata']['name']}": errors(each, version) for each in found}
    assert {place: messages for place, messages in wrong.items() if messages} == {}


def test_no_object_of_a_team_breaks_a_manifest_rule(plan: Any) -> None:
    namespaces = [each.name for each in plan.kubernetes.namespaces]
    for manifest in plan.kubernetes.team_manifests:
        found = check_manifests(manifest.objects, source=manifest.name, namespace="default", namespaces=namespaces)
        assert [f"{each.id} {each.location.path}: {each.message}" for each in found] == []

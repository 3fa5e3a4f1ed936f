"""Each namespace of a team has a Role for its members, limits, and policies for the traffic of its pods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.every_run import in_every_run
from tests.five_teams import FIVE, NAMES, team, with_teams

PlanOf = Callable[..., Any]
FORBIDDEN = {"impersonate", "bind", "escalate", "*"}
UNCHANGED_BY_MEMBERS = {"resourcequotas", "limitranges", "networkpolicies", "roles", "rolebindings", "localqueues"}


def _objects(plan: Any, name: str) -> dict[str, Any]:
    (manifest,) = [each for each in plan.kubernetes.team_manifests if each.name == name]
    return {f"{each['kind']} {each['metadata']['name']}": each for each in manifest.objects}


def _of(plan: Any) -> dict[str, Any]:
    return {each.name: each.objects for each in plan.kubernetes.team_manifests}


def test_every_namespace_of_a_team_has_one_manifest_with_all_its_objects(plan_of: PlanOf) -> None:
    teams = [team("research", namespaces=[{"name": "research"}, {"name": "trials"}])]
    plan = plan_of("train-trn1", with_teams(teams))
    assert [each.name for each in plan.kubernetes.team_manifests] == [
        "Team research research",
        "Team research trials",
        "Fields of team research",
    ]
    assert list(_objects(plan, "Team research trials")) == [
        "Role neuron-cluster-team",
        "RoleBinding neuron-cluster-team",
        "ResourceQuota neuron-cluster-team",
        "ResourceQuota neuron-cluster-team-system-classes",
        "LimitRange neuron-cluster-team",
        "NetworkPolicy default-deny",
        "NetworkPolicy same-namespace",
        "NetworkPolicy services-of-aws-and-cluster",
    ]


def test_members_write_workloads_and_read_their_limits(plan_of: PlanOf) -> None:
    role = _objects(plan_of("train-trn1", with_teams()), "Team research research")["Role neuron-cluster-team"]
    verbs: dict[str, set[str]] = {}
    for rule in role["rules"]:
        assert not FORBIDDEN & {*rule["verbs"], *rule["resources"], *rule["apiGroups"]}
        for resource in rule["resources"]:
            verbs.setdefault(resource, set()).update(rule["verbs"])
    assert {"create", "delete"} <= verbs["jobsets"] & verbs["jobs"] & verbs["mpijobs"] & verbs["pytorchjobs"]
    assert {"create", "delete"} <= verbs["resourceclaims"]
    for resource in UNCHANGED_BY_MEMBERS:
        assert verbs.get(resource, set()) <= {"get", "list", "watch"}, resource
    assert "serviceaccounts/token" not in verbs


def test_the_role_is_bound_to_the_group_of_the_team(plan_of: PlanOf) -> None:
    binding = _objects(plan_of("train-trn1", with_teams()), "Team speech speech")["RoleBinding neuron-cluster-team"]
    assert [each["name"] for each in binding["subjects"]] == ["neuron-cluster:speech"]


@pytest.mark.parametrize(
    ("quota", "hard"),
    [
        ([{"node_group": "trn1", "devices": 32, "borrow": 16}], "48"),
        ([{"node_group": "trn1", "devices": 32, "borrow": 0}], "32"),
        ([{"node_group": "trn1", "devices": 32}], "256"),
        ([{"node_group": "trn1", "devices": 200, "borrow": 200}], "256"),
        ([], "256"),
    ],
)
def test_the_resource_quota_is_the_most_that_kueue_can_admit(plan_of: PlanOf, quota: Any, hard: str) -> None:
    plan = plan_of("train-trn1", with_teams([team("research", quota=quota)]))
    spec = _objects(plan, "Team research research")["ResourceQuota neuron-cluster-team"]["spec"]
    assert spec["hard"]["requests.aws.amazon.com/neuron"] == hard
    assert spec["hard"]["requests.vpc.amazonaws.com/efa"] == "128"


def test_the_resource_quota_includes_a_group_of_the_team_without_a_queue(plan_of: PlanOf) -> None:
    own = {"name": "own", "instance_type": "inf2.24xlarge", "count": {"min": 0, "desired": 0, "max": 2}}
    research, speech = (
        team(name, quota=[{"node_group": "trn1", "devices": 32, "borrow": 0}]) for name in ("research", "speech")
    )
    plan = plan_of("train-trn1", with_teams([research, speech], **{"eks.node_groups.2": {**own, "team": "research"}}))
    hard = {
        name: _objects(plan, f"Team {name} {name}")["ResourceQuota neuron-cluster-team"]["spec"]["hard"]
        for name in ("research", "speech")
    }
    assert {name: each["requests.aws.amazon.com/neuron"] for name, each in hard.items()} == {
        "research": "44",
        "speech": "32",
    }


def test_devices_that_pods_claim_are_counted_by_their_class(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams([team("research")], **{"eks.addons.neuron_dra_driver": True}))
    spec = _objects(plan, "Team research research")["ResourceQuota neuron-cluster-team"]["spec"]
    assert spec["hard"]["neuron.aws.com.deviceclass.resource.k8s.io/devices"] == "256"


def test_pods_reach_their_namespace_dns_https_and_pod_identity_alone(plan_of: PlanOf) -> None:
    objects = _objects(plan_of("train-trn1", with_teams()), "Team research research")
    deny, own, services = (each["spec"] for name, each in objects.items() if name.startswith("NetworkPolicy"))
    assert deny == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert own["ingress"] == [{"from": [{"podSelector": {}}]}]
    ports = [(port["port"], port["protocol"]) for rule in services["egress"] for port in rule["ports"]]
    assert ports == [(53, "UDP"), (53, "TCP"), (443, "TCP"), (80, "TCP")]
    assert services["egress"][1]["to"][0]["ipBlock"]["except"] == ["169.254.169.254/32"]


def test_the_namespace_has_the_label_of_its_team(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams())
    labels = {each.name: each.labels.get("neuron-cluster/team") for each in plan.kubernetes.namespaces}
    assert labels == {"default": None, **{name: name for name in NAMES}}


CHANGED: tuple[tuple[str, Mapping[str, Any] | None], ...] = tuple(
    (name, change)
    for name in NAMES
    for change in (
        None,
        team(name, quota=[{"node_group": "trn1", "devices": 16, "borrow": 8}], weight=4),
        team(name, images=["public.ecr.aws/neuron/"]),
        team(name, members=[], namespaces=[{"name": name}, {"name": f"{name}-trials", "pod_security": "baseline"}]),
    )
)


EACH_CHANGE_ONCE = CHANGED[::5]
"""One after the other, each of another team."""


@pytest.mark.parametrize(("name", "changed"), in_every_run(CHANGED, EACH_CHANGE_ONCE))
def test_a_change_of_one_team_leaves_every_object_of_the_others_as_it_is(
    plan_of: PlanOf, name: str, changed: Mapping[str, Any] | None
) -> None:
    before, after = plan_of("train-trn1", with_teams()), plan_of("train-trn1", with_teams(_teams(name, changed)))
    others = [each for each in NAMES if each != name]
    assert [_own(before, each) for each in others] == [_own(after, each) for each in others]
    assert _own(before, name) != _own(after, name)


def _teams(name: str, changed: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    teams = (each if each["name"] != name else changed for each in FIVE)
    return [each for each in teams if each is not None]


def _own(plan: Any, name: str) -> list[Any]:
    """Objects of the namespaces of a team, and cluster-wide ones with its name, as of ClusterQueues and policies."""
    cluster = plan.kubernetes
    namespaces = {each.name for each in cluster.namespaces if each.team == name}
    manifests = (*cluster.manifests, *cluster.team_manifests)
    objects = [
        (manifest.name, manifest.needs, each)
        for manifest in manifests
        for each in manifest.objects
        if each["metadata"].get("namespace") in namespaces or _is_named(each["metadata"]["name"], name)
    ]
    return [objects, [(each.name, each.labels) for each in cluster.namespaces if each.team == name]]


def _is_named(name: str, team: str) -> bool:
    return name.startswith(f"{team}-") or name.endswith(f"-{team}")


def test_the_list_of_images_has_a_manifest_of_its_own_beside_a_namespace_of_any_name(plan_of: PlanOf) -> None:
    listed = team("research", namespaces=[{"name": "images"}], images=["public.ecr.aws/neuron/"])
    unlisted = {key: value for key, value in listed.items() if key != "images"}
    both, alone = (_of(plan_of("train-trn1", with_teams([each]))) for each in (listed, unlisted))
    assert set(both) - set(alone) == {"Images of team research"}
    assert {name: both[name] for name in alone} == alone

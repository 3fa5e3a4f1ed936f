"""Pods, Services and claims of a team held against its ResourceQuotas, by the arithmetic of Kubernetes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_kubernetes.model.names import EFA, FORMER_NEURON_RESOURCES, NEURON, NEURON_CORE, NEURON_RESOURCES
from local_kubernetes.model.neuron_devices import requested_devices
from local_kubernetes.model.resource_quota import exceeded_limits
from neuron_cluster.catalog.catalog import load_catalog
from tests.five_teams import team, with_teams

PlanOf = Callable[..., Any]
CORES = 2
"""Cores of a device of trn1 and inf2."""


def quotas(plan: Any, namespace: str) -> list[Mapping[str, Any]]:
    objects = (each for manifest in plan.kubernetes.team_manifests for each in manifest.objects)
    return [each for each in objects if each["kind"] == "ResourceQuota" and each["metadata"]["namespace"] == namespace]


def pods(count: int = 1, **amounts: int) -> list[tuple[Mapping[str, Any], int]]:
    """So many pods with a container of these limits each, by resource name."""
    container = {"name": "main", "resources": {"limits": {name: str(amount) for name, amount in amounts.items()}}}
    return [({"kind": "Pod", "spec": {"containers": [container]}}, count)]


@pytest.fixture
def research(plan_of: PlanOf) -> list[Mapping[str, Any]]:
    """Quotas of ``language`` in the shipped environment: 116 devices at most, no group of its own."""
    return quotas(plan_of("research-teams"), "language")


def test_a_job_within_the_quota_is_admitted(research: list[Mapping[str, Any]]) -> None:
    assert exceeded_limits(research, pods(7, **{NEURON: 16, EFA: 8})) == []


@pytest.mark.parametrize(("name", "per_node"), [(NEURON, 16), (NEURON_CORE, 32), (FORMER_NEURON_RESOURCES[0], 16)])
def test_no_name_of_the_devices_is_a_way_past_the_quota(
    research: list[Mapping[str, Any]], name: str, per_node: int
) -> None:
    assert exceeded_limits(research, pods(8, **{name: per_node}))


def test_two_names_at_once_give_no_more_devices_than_one(research: list[Mapping[str, Any]]) -> None:
    assert exceeded_limits(research, [*pods(7, **{NEURON: 16}), *pods(1, **{NEURON_CORE: 32})])


def test_init_containers_count_too(research: list[Mapping[str, Any]]) -> None:
    container = {"name": "main", "resources": {"requests": {NEURON: "117"}, "limits": {NEURON: "117"}}}
    assert exceeded_limits(research, [({"kind": "Pod", "spec": {"containers": [], "initContainers": [container]}}, 1)])


def test_init_containers_that_stay_count_with_the_containers(research: list[Mapping[str, Any]]) -> None:
    """Sidecars run together with containers that start after them."""

    def asked(*first: tuple[int, str], main: int = 0) -> list[tuple[Mapping[str, Any], int]]:
        containers = [{"name": "main", "resources": {"limits": {NEURON: main}}}]
        before = [{"restartPolicy": policy, "resources": {"limits": {NEURON: n}}} for n, policy in first]
        return [({"kind": "Pod", "spec": {"containers": containers, "initContainers": before}}, 1)]

    assert exceeded_limits(research, asked((58, "Always"), main=59))
    assert exceeded_limits(research, asked((58, "Always"), (59, "")))
    assert exceeded_limits(research, asked((59, ""), (58, "Always"), main=58)) == []


def claim(*requests: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"kind": "ResourceClaim", "spec": {"devices": {"requests": list(requests)}}}


def test_claims_count_by_their_device_class(plan_of: PlanOf) -> None:
    """The most of alternatives counts, and all devices of a node count as 32."""
    of_team = [team("research", quota=[{"node_group": "trn1", "devices": 32, "borrow": 0}])]
    limits = quotas(plan_of("train-trn1", with_teams(of_team, **{"eks.addons.neuron_dra_driver": True})), "research")

    def is_admitted(*requests: Mapping[str, Any]) -> bool:
        return exceeded_limits(limits, [(claim(*requests), 1)]) == []

    own, other = {"deviceClassName": "neuron.aws.com"}, {"deviceClassName": "other.example.com", "count": 99}
    every = {"exactly": {**own, "allocationMode": "All"}}
    assert is_admitted({"exactly": {**own, "count": 32}})
    assert not is_admitted({"exactly": {**own, "count": 33}})
    assert is_admitted(every)
    assert not is_admitted(every, {"exactly": own})
    assert not is_admitted({"firstAvailable": [{**own, "count": 33}, {**own, "count": 1}, other]})
    assert is_admitted({"firstAvailable": [{**own, "count": 32}, {**own, "count": 16}, other]})


@pytest.mark.parametrize("environment", ["research-teams", "train-trn1"])
def test_every_namespace_limits_each_name_that_the_device_plugin_publishes(plan_of: PlanOf, environment: str) -> None:
    plan = plan_of(environment, with_teams() if environment == "train-trn1" else None)
    published = {name for row in load_catalog().instance_types for name in row.kubernetes_resources or ()}
    assert {name for name in published if name.startswith("aws.amazon.com/")} == {*NEURON_RESOURCES}
    for namespace in itertools.chain(*(each.namespaces for each in plan.kubernetes.teams)):
        hard = {name for quota in quotas(plan, namespace) for name in quota["spec"]["hard"]}
        assert {f"requests.{name}" for name in (*NEURON_RESOURCES, *FORMER_NEURON_RESOURCES, EFA)} <= hard


def test_a_team_counts_its_own_group_without_a_queue_in_both_units(plan_of: PlanOf) -> None:
    own = {"name": "own", "instance_type": "inf2.24xlarge", "count": {"min": 0, "desired": 0, "max": 2}}
    teams = [team("research", quota=[{"node_group": "trn1", "devices": 32, "borrow": 0}]), team("speech", quota=[])]
    plan = plan_of("train-trn1", with_teams(teams, **{"eks.node_groups.2": {**own, "team": "research"}}))
    devices = 2 * 6
    for name, amount in ((NEURON, devices), (NEURON_CORE, devices * CORES)):
        assert exceeded_limits(quotas(plan, "research"), pods(1, **{name: amount})) == []
    assert exceeded_limits(quotas(plan, "research"), pods(1, **{NEURON_CORE: devices * CORES + 1}))
    assert exceeded_limits(quotas(plan, "speech"), pods(1, **{NEURON_CORE: 1}))


def test_with_the_dra_driver_no_name_of_the_device_plugin_is_left_open(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams([team("research")], **{"eks.addons.neuron_dra_driver": True}))
    for name in (*NEURON_RESOURCES, *FORMER_NEURON_RESOURCES):
        assert exceeded_limits(quotas(plan, "research"), pods(1, **{name: 1}))


@pytest.mark.parametrize(
    ("requests", "cores_per_device", "devices"),
    [
        ({NEURON: 16}, 2, 16),
        ({NEURON_CORE: 32}, 2, 16),
        ({NEURON_CORE: 3}, 2, 2),
        ({NEURON: 1, NEURON_CORE: 4}, 4, 2),
        ({NEURON_CORE: 3}, 0, 3),
        ({EFA: 8}, 2, 0),
    ],
)
def test_devices_are_counted_whatever_they_are_called(
    requests: Mapping[str, int], cores_per_device: int, devices: int
) -> None:
    assert requested_devices(requests, cores_per_device) == devices

"""Each queue of the file becomes objects that Kueue's kinds accept, with the devices of its groups as quota."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from neuron_cluster.schedulers.kubernetes import manifest_rules

SCHEMAS = Path(manifest_rules.__file__).parent / "schemas"

PlanOf = Callable[..., Any]


@pytest.fixture
def objects(plan_of: PlanOf) -> tuple[Mapping[str, Any], ...]:
    """train-trn1 with two groups of one queue."""
    second = {
        "name": "spare",
        "instance_type": "trn1.32xlarge",
        "count": {"desired": 1, "max": 2},
        "availability_zone": "usw2-az4",
        "queue": "training",
    }
    edits = {"eks.node_groups.1.queue": "training", "eks.node_groups.2": second}
    return _all(plan_of("train-trn1", edits).kubernetes)


def _queue_manifests(eks: Any) -> list[Any]:
    return [each for each in eks.manifests if each.component == "kueue"]


def _all(eks: Any) -> tuple[Mapping[str, Any], ...]:
    return tuple(each for manifest in _queue_manifests(eks) for each in manifest.objects)


def _of(objects: tuple[Mapping[str, Any], ...], kind: str) -> list[Mapping[str, Any]]:
    return [each for each in objects if each["kind"] == kind]


def test_every_object_is_one_that_its_kind_allows(objects: tuple[Mapping[str, Any], ...]) -> None:
    for each in objects:
        if each["kind"] == "ConfigMap":
            continue
        name = f"{each['apiVersion'].replace('/', '_')}_{each['kind']}.json"
        jsonschema.validate(dict(each), json.loads((SCHEMAS / name).read_text()))


def test_the_quota_is_what_the_desired_nodes_of_the_groups_have(objects: tuple[Mapping[str, Any], ...]) -> None:
    (queue,) = _of(objects, "ClusterQueue")
    (group,) = queue["spec"]["resourceGroups"]
    quotas = {
        flavor["name"]: {each["name"]: each["nominalQuota"] for each in flavor["resources"]}
        for flavor in group["flavors"]
    }
    assert quotas == {
        "trn1": {"aws.amazon.com/neuron": 256, "vpc.amazonaws.com/efa": 128},
        "spare": {"aws.amazon.com/neuron": 16, "vpc.amazonaws.com/efa": 8},
    }


def test_a_flavor_leads_to_the_nodes_of_its_group_and_tolerates_their_taints(
    objects: tuple[Mapping[str, Any], ...], plan_of: PlanOf
) -> None:
    flavor = next(each for each in _of(objects, "ResourceFlavor") if each["metadata"]["name"] == "trn1")
    group = plan_of("train-trn1").kubernetes.node_groups[1]
    assert flavor["spec"]["nodeLabels"].items() <= dict(group.labels).items()
    assert {t["key"] for t in flavor["spec"]["tolerations"]} == {taint.key for taint in group.taints}


def test_jobs_of_the_default_namespace_find_a_queue_of_the_name_in_the_file(
    objects: tuple[Mapping[str, Any], ...],
) -> None:
    (local,) = _of(objects, "LocalQueue")
    assert local["metadata"] == {"name": "training", "namespace": "default"}
    assert local["spec"] == {"clusterQueue": "training"}


def test_every_namespace_of_the_file_has_the_queue_and_jobs_of_no_other_are_admitted(plan_of: PlanOf) -> None:
    namespaces = [{"name": "default"}, {"name": "research"}]
    edits = {"eks.node_groups.1.queue": "training", "eks.namespaces": namespaces}
    made = _all(plan_of("train-trn1", edits).kubernetes)
    homes = [each["metadata"]["namespace"] for each in _of(made, "LocalQueue")]
    assert homes == ["default", "research"]
    (queue,) = _of(made, "ClusterQueue")
    (admitted,) = queue["spec"]["namespaceSelector"]["matchExpressions"]
    assert admitted == {"key": "kubernetes.io/metadata.name", "operator": "In", "values": homes}


def test_each_object_is_a_manifest_that_needs_what_it_names(plan_of: PlanOf) -> None:
    """CloudFormation deletes in the opposite order: a queue before the flavors that it names, its doors before it."""
    manifests = _queue_manifests(plan_of("train-trn1", {"eks.node_groups.1.queue": "training"}).kubernetes)
    assert {manifest.name: manifest.needs for manifest in manifests} == {
        "Objects kueue-queues": ("kueue",),
        "WorkloadPriorityClass high": ("kueue",),
        "WorkloadPriorityClass normal": ("kueue",),
        "WorkloadPriorityClass low": ("kueue",),
        "ResourceFlavor trn1": ("kueue",),
        "ClusterQueue training": ("kueue", "ResourceFlavor trn1"),
        "LocalQueue default training": ("kueue", "ClusterQueue training"),
    }
    assert all(len(manifest.objects) == 1 for manifest in manifests)


def test_a_job_of_a_higher_priority_stops_lower_ones_and_no_class_is_in_the_middle(
    objects: tuple[Mapping[str, Any], ...],
) -> None:
    (queue,) = _of(objects, "ClusterQueue")
    assert queue["spec"]["preemption"] == {"withinClusterQueue": "LowerPriority"}
    values = {each["metadata"]["name"]: each["value"] for each in _of(objects, "WorkloadPriorityClass")}
    assert values["high"] > values["normal"] == 0 > values["low"]


def test_a_queue_is_drained_before_it_and_its_local_queues_are_deleted(plan_of: PlanOf) -> None:
    (drain,) = plan_of("train-trn1", {"eks.node_groups.1.queue": "training"}).kubernetes.patches
    assert drain.resource == "clusterqueues.kueue.x-k8s.io/training"
    assert drain.before_deletion == {"spec": {"stopPolicy": "HoldAndDrain"}}
    assert drain.needs == ("ClusterQueue training", "LocalQueue default training")


def test_without_a_queue_there_is_nothing_to_apply(plan_of: PlanOf) -> None:
    assert _queue_manifests(plan_of("train-trn1", {"eks.addons": {"kueue": True}}).kubernetes) == []


def _claimed(plan_of: PlanOf, environment: str, addons: Mapping[str, Any], desired: int = 16) -> tuple[Any, Any]:
    """Kueue's mappings of device classes, and the quota of chips."""
    edits = {"eks.node_groups.1.queue": "q", "eks.node_groups.1.count.desired": desired, "eks.addons": addons}
    eks = plan_of(environment, edits).kubernetes
    (kueue,) = (chart for chart in eks.charts if chart.chart == "kueue")
    configuration = json.loads(kueue.values["managerConfig"]["controllerManagerConfigYaml"])
    (queue,) = _of(_all(eks), "ClusterQueue")
    quotas = queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
    chips = next(each["nominalQuota"] for each in quotas if each["name"] == "aws.amazon.com/neuron")
    return configuration["resources"].get("deviceClassMappings"), chips


def test_dra_claims_count_as_devices_and_a_whole_node_of_an_ultraserver_as_one(plan_of: PlanOf) -> None:
    mapped = [{"name": "aws.amazon.com/neuron", "deviceClassNames": ["neuron.aws.com"]}]
    assert _claimed(plan_of, "train-trn1", {}) == (None, 256)
    assert _claimed(plan_of, "train-trn1", {"neuron_dra_driver": True}) == (mapped, 256)
    assert _claimed(plan_of, "train-trn2u", {"neuron_dra_driver": True}, 4) == (mapped, 4)


def test_a_namespace_with_a_queue_of_its_own_has_no_other_one(plan_of: PlanOf) -> None:
    namespaces = [{"name": "default"}, {"name": "research", "queue": "training"}, {"name": "web", "queue": "batch"}]
    edits = {"eks.node_groups.0.queue": "batch", "eks.node_groups.1.queue": "training", "eks.namespaces": namespaces}
    made = _all(plan_of("train-trn1", edits).kubernetes)
    doors = {(each["metadata"]["namespace"], each["metadata"]["name"]) for each in _of(made, "LocalQueue")}
    both = {("default", "training"), ("default", "batch")}
    assert doors == both | {("research", "training"), ("web", "batch")}
    open_to = {
        each["metadata"]["name"]: each["spec"]["namespaceSelector"]["matchExpressions"][0]["values"]
        for each in _of(made, "ClusterQueue")
    }
    assert open_to == {"training": ["default", "research"], "batch": ["default", "web"]}


def test_a_group_with_a_network_topology_has_its_own_flavor_with_levels_of_its_nodes(plan_of: PlanOf) -> None:
    cluster = plan_of("train-trn2", {"eks.node_groups.1.network_topology": True}).kubernetes
    manifests = _queue_manifests(cluster)
    (topology,) = _of(_all(cluster), "Topology")
    (flavor,) = _of(_all(cluster), "ResourceFlavor")
    (queue,) = _of(_all(cluster), "ClusterQueue")
    for each in (topology, flavor, queue):
        name = f"{each['apiVersion'].replace('/', '_')}_{each['kind']}.json"
        jsonschema.validate(dict(each), json.loads((SCHEMAS / name).read_text()))
    labels = [level["nodeLabel"] for level in topology["spec"]["levels"]]
    assert labels == [*(f"topology.k8s.aws/network-node-layer-{n}" for n in (1, 2, 3)), "kubernetes.io/hostname"]
    assert flavor["spec"]["topologyName"] == topology["metadata"]["name"]
    assert flavor["metadata"]["name"] == "trn2-network", "the topology of a flavor is immutable"
    (group,) = queue["spec"]["resourceGroups"]
    assert [each["name"] for each in group["flavors"]] == ["trn2-network"]
    needs = {manifest.name: manifest.needs for manifest in manifests}
    assert needs["ResourceFlavor trn2-network"] == ("kueue", f"Topology {topology['metadata']['name']}")
    assert "ResourceFlavor trn2-network" in needs["ClusterQueue training"]


def test_flavors_have_no_topology_unless_the_file_asks_for_it(objects: tuple[Mapping[str, Any], ...]) -> None:
    assert _of(objects, "Topology") == []
    assert not [each for each in _of(objects, "ResourceFlavor") if "topologyName" in each["spec"]]

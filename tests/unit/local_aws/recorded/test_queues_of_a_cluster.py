"""Queues of a cluster as stacks leave them: kubectl's pruning, the upgrade from one manifest for all, edits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.local_aws.recorded.kubernetes_state import objects_in, state_of
from neuron_cluster.local_aws.recorded.kueue import admit_workload, finish_workload, workloads_in
from neuron_cluster.local_aws.recorded.record import TABLE

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[3]
ACCOUNT, REGION, CLUSTER, STACK = "123456789012", "us-west-2", "train", "software"
BEFORE = json.loads((TESTS / "fixtures/upgrades/queues_at_9b36666.json").read_text())
"""Of train-trn2 at that commit: all its queues in one manifest."""
CHART = {"kind": "chart", "cluster": CLUSTER, "chart": "kueue"}
KUEUE = {"ResourceFlavor", "ClusterQueue", "LocalQueue"}
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


def now() -> dict[str, Any]:
    """The same part of today's template of train-trn2."""
    golden = json.loads((TESTS / "golden/train-trn2/train-trn2-software.template.json").read_text())
    parts = ("Objectskueue", "ClusterQueue", "LocalQueue", "ResourceFlavor")
    return {"Resources": {name: each for name, each in golden["Resources"].items() if name.startswith(parts)}}


class Cluster:
    """The cluster and its software stack, on a local AWS."""

    def __init__(self, published: Any) -> None:
        self._published = published
        self._client = published.client("cloudformation")
        self._is_new = True
        self.where = (published.aws.store, ACCOUNT, REGION, CLUSTER)
        published.aws.store.table(ACCOUNT, REGION, TABLE)["kueue"] = CHART

    def deploy(self, template: Mapping[str, Any]) -> None:
        body = json.dumps({"Resources": dict(self._resources(template["Resources"]))})
        call = self._client.create_stack if self._is_new else self._client.update_stack
        call(StackName=STACK, TemplateBody=body)
        self._published.aws.engine.wait()
        assert self.status() == ("CREATE_COMPLETE" if self._is_new else "UPDATE_COMPLETE")
        self._is_new = False

    def status(self) -> str:
        (stack,) = self._client.describe_stacks(StackName=STACK)["Stacks"]
        return str(stack["StackStatus"])

    def _resources(self, resources: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, each in resources.items():
            properties = each["Properties"] | {"ServiceToken": self._published.service_token, "ClusterName": CLUSTER}
            needs = [need for need in each.get("DependsOn", ()) if need in resources]
            yield name, each | {"Properties": properties, "DependsOn": needs}

    @property
    def queues(self) -> set[tuple[str, str]]:
        """Kinds and names of Kueue's objects that the file brings."""
        return {(each["kind"], each["metadata"]["name"]) for each in objects_in(*self.where) if each["kind"] in KUEUE}

    def quota(self) -> int:
        """Neuron devices of all ClusterQueues."""
        return sum(
            resource["nominalQuota"]
            for each in objects_in(*self.where)
            if each["kind"] == "ClusterQueue"
            for group in each["spec"]["resourceGroups"]
            for flavor in group["flavors"]
            for resource in flavor["resources"]
            if resource["name"] == "aws.amazon.com/neuron"
        )


@pytest.fixture
def cluster(published: Any) -> Iterator[Cluster]:
    yield Cluster(published)
    state = state_of(published.aws.store, ACCOUNT, REGION, CLUSTER)
    state.objects.clear()
    state.terminating_kinds.clear()
    published.client("cloudformation").delete_stack(StackName=STACK)
    published.aws.engine.wait()


TRAINING = {("ResourceFlavor", "trn2"), ("ClusterQueue", "training"), ("LocalQueue", "training")}


def without(template: Mapping[str, Any], *names: str) -> dict[str, Any]:
    resources = {name: each for name, each in template["Resources"].items() if not name.startswith(names)}
    return {"Resources": resources}


def renamed(template: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """What another name of the queue makes of the template: other ids for what bears it."""
    renamed_template: dict[str, Any] = json.loads(json.dumps(template).replace(old, new))
    return renamed_template


def test_pruning_deletes_what_left_a_manifest_unless_it_is_a_custom_resource(cluster: Cluster) -> None:
    """kubectl's list of kinds: the fault of one manifest for all queues."""
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}
    combined = json.loads(json.dumps(BEFORE))
    properties = combined["Resources"]["Objectskueuequeues848124C7"]["Properties"]
    flavor, queue, local = json.loads(properties["Manifest"])
    settings["metadata"]["labels"] = queue["metadata"]["labels"]
    properties["Manifest"] = json.dumps([flavor, queue, local, settings])
    cluster.deploy(combined)
    properties["Manifest"] = json.dumps([local])
    cluster.deploy(combined)
    assert cluster.queues == TRAINING
    assert "ConfigMap" not in {each["kind"] for each in objects_in(*cluster.where)}


def test_queues_follow_the_file_from_the_upgrade_on(cluster: Cluster) -> None:
    cluster.deploy(BEFORE)
    quota = cluster.quota()
    admit_workload(*cluster.where, queue="training", name="job-llama")
    cluster.deploy(now())
    assert cluster.queues == TRAINING
    assert workloads_in(*cluster.where) == {"default/job-llama": True}, "the upgrade deletes no queue: it runs on"
    (former,) = (each for each in objects_in(*cluster.where) if each["kind"] == "ConfigMap")
    assert former["metadata"]["name"] == "neuron-cluster-queues"

    finish_workload(*cluster.where, name="job-llama")
    cluster.deploy(renamed(now(), "training", "research"))
    assert cluster.queues == {("ResourceFlavor", "trn2"), ("ClusterQueue", "research"), ("LocalQueue", "research")}
    assert cluster.quota() == quota, "no second queue has the same machines"

    cluster.deploy(without(now(), *KUEUE))
    assert cluster.queues == set()

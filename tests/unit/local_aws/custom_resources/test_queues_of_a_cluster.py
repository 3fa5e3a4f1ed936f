"""Queues of a cluster as stacks leave them: kubectl's pruning, the upgrade from one manifest for all, edits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from local_aws.custom_resources.kubernetes_state import STATE, objects_in, state_of
from local_aws.custom_resources.record import TABLE, WAITS, waits
from neuron_cluster.local_checks.kueue import KUEUE, admit_workload, finish_workload, workloads_in

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[3]
ACCOUNT, REGION, CLUSTER, STACK = "123456789012", "us-west-2", "train", "software"
BEFORE = json.loads((TESTS / "fixtures/upgrades/queues_at_9b36666.json").read_text())
"""Queues of train-trn2 at that commit: all its queues in one manifest."""
CONTROLLERS = (KUEUE,)
CHART = {"kind": "chart", "cluster": CLUSTER, "chart": "kueue"}
KINDS = {"ResourceFlavor", "ClusterQueue", "LocalQueue"}
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


def now() -> dict[str, Any]:
    """The same part of today's template of train-trn2, with the quota of four nodes."""
    text = (TESTS / "golden/train-trn2/train-trn2-software.template.json").read_text()
    golden = json.loads(text.replace(r"nominalQuota\":0", r"nominalQuota\":64"))
    parts = ("Objectskueue", "ClusterQueue", "LocalQueue", "ResourceFlavor", "Drain")
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

    def delete(self) -> str:
        stack_id = self._client.describe_stacks(StackName=STACK)["Stacks"][0]["StackId"]
        self._client.delete_stack(StackName=STACK)
        self._published.aws.engine.wait()
        (stack,) = self._client.describe_stacks(StackName=stack_id)["Stacks"]
        self._is_new = stack["StackStatus"] == "DELETE_COMPLETE"
        return str(stack["StackStatus"])

    def reason_of(self, logical_id: str) -> str:
        events = self._client.describe_stack_events(StackName=STACK)["StackEvents"]
        failed = [each for each in events if each["ResourceStatus"].endswith("_FAILED")]
        (event,) = (each for each in failed if each["LogicalResourceId"].startswith(logical_id))
        return str(event["ResourceStatusReason"])

    def waits(self) -> dict[str, int]:
        store, account, region, _ = self.where
        return waits(store, account, region)

    @property
    def queues(self) -> set[tuple[str, str]]:
        """Kinds and names of Kueue's objects that the file brings."""
        return {(each["kind"], each["metadata"]["name"]) for each in objects_in(*self.where) if each["kind"] in KINDS}

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
    for name in state.of_kind("kueue.x-k8s.io", "Workload"):
        finish_workload(published.aws.store, ACCOUNT, REGION, CLUSTER, name=name.partition("/")[2])
    published.client("cloudformation").delete_stack(StackName=STACK)
    published.aws.engine.wait()
    for table in (STATE, TABLE, WAITS):
        published.aws.store.table(ACCOUNT, REGION, table).clear()


TRAINING = {("ResourceFlavor", "trn2"), ("ClusterQueue", "training"), ("LocalQueue", "training")}


def without(template: Mapping[str, Any], *names: str) -> dict[str, Any]:
    resources = {name: each for name, each in template["Resources"].items() if not name.startswith(names)}
    return {"Resources": resources}


def renamed(template: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """Returns the template with another name of the queue: ids with the name differ."""
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

    cluster.deploy(renamed(now(), "training", "research"))
    assert cluster.queues == {("ResourceFlavor", "trn2"), ("ClusterQueue", "research"), ("LocalQueue", "research")}
    assert cluster.quota() == quota == 64, "no second queue has the same machines"
    assert workloads_in(*cluster.where) == {"default/job-llama": False}, "it was stopped with its queue"

    admit_workload(*cluster.where, queue="research", name="job-falcon")
    cluster.deploy(without(now(), *KINDS, "Drain"))
    assert cluster.queues == set()


def test_a_queue_with_jobs_is_not_deleted_undrained_and_the_stack_fails_in_time(cluster: Cluster) -> None:
    """The fault: kubectl waits for the queue's finalizer, its function is ended, and CloudFormation hears nothing."""
    cluster.deploy(without(now(), "Drain"))
    admit_workload(*cluster.where, queue="training", name="job-llama")
    assert cluster.delete() == "DELETE_FAILED"
    assert cluster.reason_of("ClusterQueuetraining").startswith("CloudFormation did not receive a response from your")
    assert ("ResourceFlavor", "trn2") in cluster.queues, "the queue still names it"
    assert cluster.waits() == {"ClusterQueuetrainingD6269540": 1000}
    finish_workload(*cluster.where, name="job-llama")
    assert cluster.delete() == "DELETE_COMPLETE"


@pytest.mark.exhaustive
def test_kueue_sees_the_jobs_of_a_queue_through_its_local_queues(cluster: Cluster) -> None:
    """So the drain comes before their deletion; without a LocalQueue nothing is evicted."""
    template = now()
    (drain,) = (each for name, each in template["Resources"].items() if name.startswith("Drain"))
    drain["DependsOn"] = [need for need in drain["DependsOn"] if not need.startswith("LocalQueue")]
    cluster.deploy(template)
    admit_workload(*cluster.where, queue="training", name="job-llama")
    cluster.deploy(without(template, "LocalQueue"))
    assert cluster.delete() == "DELETE_FAILED"
    assert workloads_in(*cluster.where) == {"default/job-llama": True}


def test_a_stack_with_running_jobs_is_deleted_and_made_again(cluster: Cluster) -> None:
    for _ in range(2):
        cluster.deploy(now())
        admit_workload(*cluster.where, queue="training", name="job-llama")
        assert cluster.delete() == "DELETE_COMPLETE"
        assert cluster.queues == set()
    assert cluster.waits() == {}


def test_a_workload_is_admitted_only_where_kueue_would_admit_it(cluster: Cluster) -> None:
    store, account, region, _ = cluster.where
    with pytest.raises(ValueError, match="no LocalQueue default/training in the cluster train: none"):
        admit_workload(*cluster.where, queue="training", name="job-llama")
    with pytest.raises(ValueError, match="the cluster other of 123456789012 in us-west-2 does not run Kueue"):
        admit_workload(store, account, region, "other", queue="training", name="job-llama")
    with pytest.raises(LookupError, match="no Workload default/job-llama in the cluster train"):
        finish_workload(*cluster.where, name="job-llama")


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_uninstalled", [False, True])
def test_kueue_can_come_back_only_when_its_chart_has_stayed(cluster: Cluster, is_uninstalled: bool) -> None:
    """Uninstalled, it leaves Workloads with finalizers behind, and their definition takes no new one."""
    store, account, region, _ = cluster.where
    del store.table(account, region, TABLE)["kueue"]
    golden = json.loads((TESTS / "golden/train-trn2/train-trn2-software.template.json").read_text())["Resources"]
    chart = golden["ChartkueueBE80CED9"]
    other = {"Namespacekueuesystem9FEDF467": golden["Namespacekueuesystem9FEDF467"]}
    template = {"Resources": {**other, "ChartkueueBE80CED9": chart, **now()["Resources"]}}
    if is_uninstalled:
        chart["DeletionPolicy"] = "Delete"
    cluster.deploy(template)
    admit_workload(*cluster.where, queue="training", name="job-llama")
    cluster.deploy({"Resources": other})
    assert cluster.queues == set()
    cluster.deploy(template)
    if is_uninstalled:
        with pytest.raises(ValueError, match="the definition of Workloads is being deleted"):
            admit_workload(*cluster.where, queue="training", name="job-falcon")
    else:
        admit_workload(*cluster.where, queue="training", name="job-falcon")

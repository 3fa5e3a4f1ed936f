"""Nodes that fail, and where pods are placed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.names import ULTRASERVER_LABEL
from local_kubernetes.model.node_recovery import NodeRecovery
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.rehearsal.cluster import node_life
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Phase, Pod
from neuron_cluster.rehearsal.cluster.pod_faults import DEVICE_SECONDS, PodFaults
from neuron_cluster.rehearsal.cluster.pod_files import COUNTER, device_counters
from neuron_cluster.rehearsal.cluster.scheduler import free_of, schedule
from neuron_cluster.rehearsal.cluster.ultraservers import EXCLUSIVE_TOPOLOGY, in_ultraserver, places
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import GROUP, NEURON, pass_seconds, pod_template, world


def _pod(given: World, name: str, **spec: Any) -> Pod:
    template = pod_template(**spec)
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": template["spec"]}
    (info,) = pods_of([body])
    pod = Pod(
        name=name,
        namespace="default",
        info=info,
        spec=body["spec"],
        labels={"app": "train"},
        annotations={},
        owner="",
        host_name=name,
    )
    given.pods.append(pod)
    return pod


def test_pods_that_need_all_devices_get_a_node_each_and_the_last_stays_pending(tmp_path: Path) -> None:
    given = world(tmp_path)
    pods = [_pod(given, f"pod-{number}") for number in range(3)]
    schedule(given)
    assert [pod.node.name if pod.node else None for pod in pods] == ["trn1-0", "trn1-1", None]
    assert "aws.amazon.com/neuron" in pods[2].message


def test_anti_affinity_keeps_pods_of_one_job_apart(tmp_path: Path) -> None:
    given = world(tmp_path)
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "train"}}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    small = [{"name": "small", "image": "train:1"}]
    pods = [_pod(given, f"pod-{number}", affinity=apart, containers=small) for number in range(3)]
    schedule(given)
    assert [pod.node is not None for pod in pods] == [True, True, False]


def test_a_pod_with_a_claim_that_does_not_exist_stays_pending(tmp_path: Path) -> None:
    given = world(tmp_path)
    pod = _pod(given, "pod", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "lustre"}}])
    schedule(given)
    assert pod.node is None
    assert pod.message == 'persistentvolumeclaim "lustre" not found'


@pytest.mark.parametrize(("seconds", "expected"), [(None, 300), (60, 60)])
def test_a_silent_node_loses_its_pods_after_what_they_tolerate(
    tmp_path: Path, seconds: int | None, expected: int
) -> None:
    given = world(tmp_path)
    own = {"key": node_life.UNREACHABLE, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": seconds}
    tolerations = [{"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}]
    pod = _pod(given, "pod", tolerations=[*tolerations, *([own] if seconds else [])])
    schedule(given)
    node = given.nodes[0]
    node_life.lose(node, given)
    assert node.state is NodeState.SILENT
    given.agenda.at(10_000, lambda: None)
    noticed = given.seconds["node_monitor_grace_period"]
    pass_seconds(given, min(noticed + expected, given.seconds["instance_replacement"]) - 1)
    assert pod.deletes_at is None
    pass_seconds(given, 30)
    assert pod.deletes_at is not None


def test_pods_of_a_lost_instance_fail_when_their_node_is_gone_and_another_starts(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    pod = _pod(given, "pod")
    schedule(given)
    node_life.lose(given.nodes[0], given)
    pass_seconds(given, given.seconds["instance_replacement"] + given.seconds["pod_garbage_collection"] + 1)
    assert pod.phase is Phase.FAILED
    assert pod.is_gone
    assert [node.state for node in given.present_nodes()] == [NodeState.STARTING]
    pass_seconds(given, given.seconds["node_boot_and_join"])
    assert [node.state for node in given.present_nodes()] == [NodeState.READY]


def test_a_drained_node_is_replaced_once_its_last_pod_has_ended(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    pod = _pod(given, "pod")
    schedule(given)
    node = given.nodes[0]
    node_life.drain(node, given)
    assert (pod.disruption, pod.deletes_at is not None) == ("EvictionByEvictionAPI", True)
    node_life.replace_when_drained(node, given)
    assert node.ended_at is None
    pod.phase = Phase.FAILED
    node_life.replace_when_drained(node, given)
    assert node.ended_at is not None
    assert len(given.present_nodes()) == 1


HYPERPOD = NodeRecovery(
    service="HyperPod",
    after="hyperpod_node_recovery",
    replaces_failed_devices=True,
    checks="hyperpod_deep_health_checks",
)


def test_pods_wait_for_the_deep_health_checks_of_the_node_that_replaces_a_lost_one(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    given.nodes[0].recovery = HYPERPOD
    node_life.lose(given.nodes[0], given)
    pass_seconds(given, given.seconds[HYPERPOD.after] + given.seconds["node_boot_and_join"] + 1)
    (node,) = given.present_nodes()
    pod = _pod(given, "pod")
    schedule(given)
    assert (node.state, pod.node) == (NodeState.READY, None)
    assert "untolerated taint {sagemaker.amazonaws.com/node-health-status: Unschedulable}" in pod.message
    pass_seconds(given, given.seconds["hyperpod_deep_health_checks"])
    schedule(given)
    assert pod.node is node


@pytest.mark.parametrize("booted", [False, True])
def test_a_new_node_that_is_lost_before_its_checks_have_passed_stays_lost(tmp_path: Path, booted: bool) -> None:
    given = world(tmp_path, nodes=1)
    given.nodes[0].recovery = HYPERPOD
    given.start_node(given.nodes[0])
    node = given.nodes[-1]
    pass_seconds(given, given.seconds["node_boot_and_join"] + 1 if booted else 0)
    node_life.lose(node, given, is_replaced=False)
    pass_seconds(given, 24 * 3600)
    assert (node.state, node.has_health_taint) == (NodeState.SILENT, booted)
    assert "Schedulable" not in {event.reason for event in given.timeline.events}


def test_a_lost_node_stays_not_ready_with_its_pods_where_nothing_replaces_it(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    (node,) = given.nodes
    node.recovery = None
    pod = _pod(given, "pod")
    schedule(given)
    node_life.lose(node, given)
    pass_seconds(given, 24 * 3600)
    assert (given.present_nodes(), node.state) == ([node], NodeState.SILENT)
    assert (pod.node, pod.is_gone) == (node, False)


def test_hyperpod_replaces_a_node_with_a_device_error_without_a_drain(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    (node,) = given.nodes
    node.recovery = HYPERPOD
    pod = _running(given, "pod")
    PodFaults(given).fail_device(pod, node)
    assert (node.is_schedulable, pod.deletes_at) == (False, None)
    pass_seconds(given, given.seconds[HYPERPOD.after] + given.seconds["pod_garbage_collection"] + 1)
    assert (node.ended_at is not None, pod.disruption) == (True, "DeletionByPodGC")
    assert [each.recovery for each in given.present_nodes()] == [HYPERPOD]


def _running(given: World, name: str) -> Pod:
    pod = _pod(given, name)
    schedule(given)
    pod.phase = Phase.RUNNING
    for container in pod.containers:
        container.is_ready = True
    return pod


def _errors(given: World, pod: Pod) -> str:
    return (device_counters(given, pod) / "neuron0" / COUNTER).read_text(encoding="ascii").strip()


def test_a_failed_device_fails_every_pod_of_its_node_until_it_is_replaced(tmp_path: Path) -> None:
    given, seconds = world(tmp_path, nodes=1), 600
    faults, (node,) = PodFaults(given), given.nodes
    node.repair_seconds = seconds
    first = _running(given, "first")
    faults.fail_device(first, node)
    assert _errors(given, first) == "1"
    given.delete_pod(first, grace_seconds=0)
    given.forget_pod(first)

    second = _running(given, "second")
    faults.refresh()
    assert _errors(given, second) == "0"
    pass_seconds(given, DEVICE_SECONDS)
    assert _errors(given, second) == "1"

    pass_seconds(given, seconds)
    assert [event.reason for event in given.timeline.events if event.subject == node.name] == [
        "NodeRepair",
        "NodeDrained",
    ]
    assert second.deletes_at is not None


def test_a_failed_device_stays_without_node_repair(tmp_path: Path) -> None:
    given = world(tmp_path, nodes=1)
    PodFaults(given).fail_device(_running(given, "first"), given.nodes[0])
    pass_seconds(given, 7200)
    assert not given.nodes[0].is_cordoned


def _ultraserver_nodes(given: World, count: int) -> None:
    group = replace(GROUP, claimable={"neuron.aws.com": 16}, is_ultraserver=True, neuron_devices=16)
    given.nodes = [
        Node(
            name=f"trn2u-{number}",
            info=in_ultraserver(group, number, (2, 4)),
            position=number,
            state=NodeState.READY,
        )
        for number in range(count)
    ]


def _of_job(given: World, name: str, job: str) -> Pod:
    """Takes no devices: only the topology keeps it from a node."""
    pod = _pod(given, name, containers=[{"name": "small", "image": "train:1"}])
    pod.owner = job
    pod.annotations = {EXCLUSIVE_TOPOLOGY: f"{ULTRASERVER_LABEL}4"}
    schedule(given)
    return pod


def test_jobs_of_an_exclusive_topology_share_no_ultraserver(tmp_path: Path) -> None:
    given = world(tmp_path)
    _ultraserver_nodes(given, 8)
    first, other = _of_job(given, "a-0", "a"), _of_job(given, "b-0", "b")
    assert (first.node, other.node) == (given.nodes[0], given.nodes[4])
    assert _of_job(given, "a-1", "a").node is given.nodes[0]
    assert _of_job(given, "c-0", "c").node is None


def test_a_node_shows_its_place_in_the_ultraserver(tmp_path: Path) -> None:
    given = world(tmp_path)
    _ultraserver_nodes(given, 8)
    pod = _of_job(given, "a-0", "a")
    pod.node = given.nodes[6]
    (shown,) = places(given, pod)
    assert shown.target == "/sys/class/neuron_device"
    assert shown.source is not None
    assert {path.name: path.read_text().strip() for path in shown.source.iterdir()} == {
        "server_id_2": "ultraserver-3",
        "node_id_2": "0",
        "server_id_4": "ultraserver-1",
        "node_id_4": "2",
        "ultraserver_mode": "1,2,3",
    }


def test_a_node_that_is_in_no_ultraserver_shows_no_place(tmp_path: Path) -> None:
    given = world(tmp_path)
    pod = _pod(given, "pod")
    schedule(given)
    assert places(given, pod) == ()


@pytest.mark.parametrize(("selects", "devices"), [("neuron_node", 16), ("neuron_device", 1)])
def test_claimed_devices_are_no_longer_free(tmp_path: Path, selects: str, devices: int) -> None:
    given = world(tmp_path)
    _ultraserver_nodes(given, 1)
    expression = f"device.attributes['neuron.aws.com'].resourceType == '{selects}'"
    request = {"deviceClassName": "neuron.aws.com", "count": 1, "selectors": [{"cel": {"expression": expression}}]}
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "devices"},
        "spec": {"spec": {"devices": {"requests": [{"name": "neurons", "exactly": request}]}}},
    }
    spec = {
        "containers": [{"name": "small", "image": "train:1"}],
        "tolerations": [{"key": NEURON, "operator": "Exists"}],
        "resourceClaims": [{"name": "neurons", "resourceClaimTemplateName": "devices"}],
    }
    pod = _pod(given, "pod")
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": spec}
    (pod.info,) = pods_of([body], others=[template])
    schedule(given)
    assert pod.node is given.nodes[0]
    assert pod.neuron_devices == devices
    assert free_of(given.nodes[0], given).claimable == {"neuron.aws.com": 16 - devices}

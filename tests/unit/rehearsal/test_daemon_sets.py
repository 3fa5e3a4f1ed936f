"""The DaemonSet controller as Kubernetes documents it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from neuron_cluster.rehearsal.cluster import node_life, scheduler
from neuron_cluster.rehearsal.cluster.daemon_sets import DaemonSet, DaemonSetController
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import pass_seconds, pod_template, world

SMALL: Mapping[str, Any] = {"name": "monitor", "image": "monitor:1", "resources": {"requests": {"cpu": "100m"}}}


class Case:
    """A DaemonSet whose pods a test makes Ready, and ends when they are deleted."""

    def __init__(self, folder: Path, nodes: int = 4, unavailable: int | str | None = None, **spec: object) -> None:
        self.world: World = world(folder, nodes)
        update = {} if unavailable is None else {"rollingUpdate": {"maxUnavailable": unavailable}}
        template = pod_template(restartPolicy="Always", containers=[SMALL], **spec)
        body = {"spec": {"updateStrategy": {"type": "RollingUpdate", **update}, "template": template}}
        self.daemon_set = DaemonSet(name="monitor", namespace="default", body=body)
        self.controller = DaemonSetController(self.world)
        self.controller.create(self.daemon_set)
        self.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return self.world.live_pods()

    def reconcile(self) -> None:
        self.controller.reconcile()
        scheduler.schedule(self.world)

    def make_ready(self) -> None:
        """Makes the pods ready that are on a node which reports."""
        for pod in self.pods:
            if pod.deletes_at is not None and pod.has_kubelet:
                self.world.forget_pod(pod)
            elif pod.has_kubelet:
                pod.phase = Phase.RUNNING
                for container in pod.containers:
                    container.is_ready = True
        self.reconcile()

    def ready(self) -> int:
        return sum(pod.is_ready and pod.deletes_at is None for pod in self.pods)


def test_each_node_that_has_joined_has_one_pod(tmp_path: Path) -> None:
    case = Case(tmp_path, nodes=3)
    assert [pod.node for pod in case.pods] == case.world.nodes
    late = Node(name="trn1-late", info=case.world.nodes[0].info)
    case.world.nodes.append(late)
    case.reconcile()
    assert len(case.pods) == 3
    late.state = NodeState.READY
    case.reconcile()
    assert [pod.node for pod in case.pods] == case.world.nodes


def test_a_node_whose_taint_it_does_not_tolerate_has_none(tmp_path: Path) -> None:
    case = Case(tmp_path, tolerations=[])
    assert case.pods == []
    assert case.controller.why_not_ready() == "DaemonSet monitor has no pod: there is no node that it fits on"


def test_a_pod_without_room_waits_for_its_own_node(tmp_path: Path) -> None:
    case = Case(tmp_path, nodes=2)
    full = case.world.nodes[0]
    full.info = msgspec.structs.replace(full.info, allocatable={**full.info.allocatable, "cpu": 50})
    for pod in case.pods:
        case.world.forget_pod(pod)
    case.reconcile()
    assert [pod.node for pod in case.pods] == [None, case.world.nodes[1]]


def test_a_drain_leaves_its_pods_until_the_instance_ends(tmp_path: Path) -> None:
    case = Case(tmp_path, nodes=1)
    case.make_ready()
    (pod,), node = case.pods, case.world.nodes[0]
    node_life.drain(node, case.world)
    assert pod.is_active
    node_life.replace_when_drained(node, case.world)
    assert not pod.is_ready
    pass_seconds(case.world, case.world.seconds["node_boot_and_join"])
    case.reconcile()
    assert [each.node for each in case.pods] == [case.world.nodes[1]]


def test_a_pod_of_a_lost_node_stays_until_the_node_is_gone(tmp_path: Path) -> None:
    case = Case(tmp_path, nodes=2)
    case.make_ready()
    lost = case.world.nodes[1]
    node_life.lose(lost, case.world)
    seconds = case.world.seconds
    pass_seconds(case.world, seconds["instance_replacement"] - 1)
    case.reconcile()
    assert [pod.is_ready for pod in case.world.pods_on(lost)] == [False]
    assert case.controller.why_not_ready() == "DaemonSet monitor: 1 of 2 nodes have no Ready pod, such as trn1-1"
    pass_seconds(case.world, 1 + seconds["node_boot_and_join"])
    case.reconcile()
    case.make_ready()
    assert case.world.pods_on(lost) == []
    assert case.controller.why_not_ready() is None


@pytest.mark.parametrize(("unavailable", "fewest_ready"), [(None, 3), (2, 2), ("25%", 3), ("26%", 2)])
def test_an_update_keeps_within_max_unavailable(
    tmp_path: Path, unavailable: int | str | None, fewest_ready: int
) -> None:
    case = Case(tmp_path, unavailable=unavailable)
    case.make_ready()
    case.controller.update(case.daemon_set)
    seen = []
    for _ in range(8):
        case.reconcile()
        seen.append(case.ready())
        case.make_ready()
    assert min(seen) == fewest_ready
    assert case.controller.why_not_ready() is None
    assert len(case.pods) == 4


def test_a_failed_pod_is_replaced_on_its_node(tmp_path: Path) -> None:
    case = Case(tmp_path, nodes=1)
    (pod,) = case.pods
    pod.phase = Phase.FAILED
    case.reconcile()
    assert [each.node for each in case.pods] == [pod.node]
    assert case.pods != [pod]

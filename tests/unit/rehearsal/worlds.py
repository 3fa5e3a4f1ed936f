"""Clusters without programs: pods end as a test says, and time jumps."""

from __future__ import annotations

from pathlib import Path

from local_kubernetes.model.placement import Taint
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.clock import Clock
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Phase, Pod
from neuron_cluster.rehearsal.cluster.world import Seconds, World
from neuron_cluster.rehearsal.timeline import Timeline

NEURON = "aws.amazon.com/neuron"
TAINT = Taint(NEURON, "true", "NoSchedule")
GROUP = NodeInfo("trn1", {"neuron-cluster/node-group": "trn1"}, (TAINT,), {NEURON: 16, "cpu": 128000, "pods": 50}, {})


def world(folder: Path, nodes: int = 2) -> World:
    clock = Clock(folder / "clock")
    made = World(
        clock=clock,
        agenda=Agenda(clock),
        timeline=Timeline(clock),
        seconds=Seconds(load_catalog().controller_timings.by_name, {}),
        folder=folder,
        ranks=1,
        compile_seconds=600,
    )
    made.nodes = [Node(name=f"trn1-{number}", info=GROUP, state=NodeState.READY) for number in range(nodes)]
    return made


def pass_seconds(given: World, seconds: float) -> None:
    """Everything that is planned until then happens at its time."""
    end = given.clock.now() + seconds
    while (moment := given.agenda.next_moment) is not None and moment <= end:
        given.clock.jump_to(moment)
        given.agenda.run_due()
    given.clock.jump_to(end)


def end(pod: Pod, exit_code: int) -> None:
    """As its kubelet reports."""
    for container in pod.containers:
        container.exit_code = exit_code
    pod.phase = Phase.FAILED if exit_code else Phase.SUCCEEDED


def pod_template(**spec: object) -> dict[str, object]:
    """Returns the template of a pod that takes a whole node."""
    return {
        "metadata": {"labels": {"app": "train"}},
        "spec": {
            "restartPolicy": "Never",
            "tolerations": [{"key": NEURON, "operator": "Exists"}],
            "containers": [{"name": "trainer", "image": "train:1", "resources": {"limits": {NEURON: "16"}}}],
            **spec,
        },
    }

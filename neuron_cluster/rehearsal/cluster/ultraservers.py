"""The places of nodes in their UltraServers: labels that the device driver sets, and files that it shows.

Source: aws-neuron/aws-neuron-sdk@81ce03a, deploy/eks/ultraserver.rst and src/k8/k8s-ultraserver-init-script.sh.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from local_kubernetes.model.fields import text_pairs
from local_kubernetes.model.names import ULTRASERVER_LABEL
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.rehearsal.cluster.objects import Node, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.container_process import Mount

CLASS_FOLDER = "/sys/class/neuron_device"
EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology"
"""One Job in each domain of this label, and one domain for each Job (kubernetes-sigs/jobset@08dfbdf)."""
MODES = "1,2,3"
"""Every mode that a node can have."""


def in_ultraserver(info: NodeInfo, position: int, sizes: Iterable[int]) -> NodeInfo:
    """The node with the labels of its UltraServer. ``position`` counts the instances of the group."""
    servers = {f"{ULTRASERVER_LABEL}{size}": f"ultraserver-{position // size}" for size in sizes}
    return replace(info, labels={**info.labels, **servers})


def places(world: World, pod: Pod) -> tuple[Mount, ...]:
    """Returns the files of the driver on the node's place; none on a node that is in no UltraServer."""
    node = pod.node
    labels = node.info.labels if node is not None else {}
    servers = {
        int(key.removeprefix(ULTRASERVER_LABEL)): name
        for key, name in labels.items()
        if key.startswith(ULTRASERVER_LABEL)
    }
    if node is None or not servers:
        return ()
    folder = world.folder / "places" / node.name
    folder.mkdir(parents=True, exist_ok=True)
    for size, name in servers.items():
        _write(folder / f"server_id_{size}", name)
        _write(folder / f"node_id_{size}", str(node.position % size))
    _write(folder / "ultraserver_mode", MODES)
    return (Mount(CLASS_FOLDER, folder, read_only=True),)


def _write(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(f"{text}\n", encoding="ascii")


def violates_exclusive_topology(pod: Pod, node: Node, world: World) -> bool:
    """Whether the node is in a domain of another Job, or not in that of the pod's own."""
    label = text_pairs(pod.annotations).get(EXCLUSIVE_TOPOLOGY)
    if label is None:
        return False
    domain = node.info.labels.get(label)
    placed = [(each.owner, each.node.info.labels.get(label)) for each in world.live_pods() if each.node is not None]
    own = {at for owner, at in placed if owner == pod.owner}
    others = {at for owner, at in placed if owner != pod.owner}
    return domain is None or domain in others or bool(own - {domain})

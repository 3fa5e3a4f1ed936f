"""neuron-explorer: a viewer on a CPU node group, and a capture on a Neuron node once the user turns it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, KUEUE

VIEWER_CONTAINERS = 2
"""The server, and the reader of new profiles: ``viewer.cpu`` and ``viewer.memoryGib`` are each container's."""
STORE_PART = 4
"""The output of the viewer uses at most a quarter of its node's disk, and so does its copy of the profiles."""


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    sizes: dict[str, Any] = {}
    viewer = {"nodeGroup": "" if context.cpu_group is None else context.cpu_group.name, **_viewer_size(context)}
    node = context.cpu_node
    if node is not None and node.storage_gib is not None:
        part = max(node.storage_gib // STORE_PART, 1)
        viewer["storeGib"] = min(context.defaults["viewer"]["storeGib"], part)
        sizes["sizeGib"] = min(context.defaults["profiles"]["sizeGib"], part)
    return {"profiles": sizes, "viewer": viewer, "machine": context.machine, "awsRegion": context.region}


def _viewer_size(context: WorkloadContext) -> dict[str, Any]:
    """The chart's own size, or half of what the node has where that is less: other software lives there too."""
    usual, node = context.defaults["viewer"], context.cpu_node
    if node is None or node.whole_cpus is None or node.memory_gib is None:
        return {}
    memory = min(usual["memoryGib"], max(node.memory_gib // (2 * VIEWER_CONTAINERS), 1))
    millicores = min(int(usual["cpu"]) * 1000, max(node.allocatable["cpu"] // (2 * VIEWER_CONTAINERS), 1))
    return {"cpu": f"{millicores}m", "memoryGib": memory}


NEURON_EXPLORER = Recipe(
    chart="neuron-explorer",
    needs=(DEVICES, KUEUE),
    front_ends={"jax": "jax", "vllm": "vllm", "torch": "torch_neuronx_inference"},
    front_end_key=None,
    nodes_key=None,
    default_nodes=1,
    locations=(
        StorageLocation("profiles", "profiles", "profiles", is_required=True, without_it="there is nothing to show"),
    ),
    values=_values,
)

"""neuron-explorer: a viewer on a side group, and a capture on a Neuron node once the user turns it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.place import Place
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.recipes.needs import DEVICES, KUEUE

VIEWER_CONTAINERS = 2
"""The server, and the reader of new profiles: ``viewer.cpu`` and ``viewer.memoryGib`` are each container's."""
STORE_PART = 4
"""What the viewer makes takes at most a quarter of its node's disk, and so does its copy of the profiles."""


def _values(site: WorkloadContext) -> Mapping[str, Any]:
    sizes: dict[str, Any] = {}
    viewer = {"nodeGroup": "" if site.side_group is None else site.side_group.name, **_viewer_size(site)}
    room = site.side_room
    if room is not None and room.disk_gib is not None:
        part = max(room.disk_gib // STORE_PART, 1)
        viewer["storeGib"] = min(site.defaults["viewer"]["storeGib"], part)
        sizes["sizeGib"] = min(site.defaults["profiles"]["sizeGib"], part)
    return {"profiles": sizes, "viewer": viewer, "machine": site.machine, "awsRegion": site.region}


def _viewer_size(site: WorkloadContext) -> dict[str, Any]:
    """The chart's own size, or half of what the node has where that is less: other software lives there too."""
    usual, room = site.defaults["viewer"], site.side_room
    if room is None or room.cores is None or room.memory_gib is None:
        return {}
    memory = min(usual["memoryGib"], max(room.memory_gib // (2 * VIEWER_CONTAINERS), 1))
    millicores = min(int(usual["cpu"]) * 1000, max(room.node.allocatable["cpu"] // (2 * VIEWER_CONTAINERS), 1))
    return {"cpu": f"{millicores}m", "memoryGib": memory}


NEURON_EXPLORER = Recipe(
    chart="neuron-explorer",
    needs=(DEVICES, KUEUE),
    front_ends={"jax": "jax", "vllm": "vllm", "torch": "torch_neuronx_inference"},
    front_end_key=None,
    nodes_key=None,
    usual_nodes=1,
    places=(Place("profiles", "profiles", "profiles", is_required=True, without_it="there is nothing to show"),),
    values=_values,
)

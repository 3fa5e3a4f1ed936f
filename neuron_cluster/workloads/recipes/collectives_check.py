"""collectives-check: nccom-test over whole nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE


def _values(site: WorkloadContext) -> Mapping[str, Any]:
    return {"machine": site.machine, "nodes": site.nodes, "floors": _floors(site)}


def _floors(site: WorkloadContext) -> list[dict[str, Any]]:
    """The catalog's floor at the largest size that is measured. It is one of EFA, so one node has none."""
    floor, operations = site.floor, site.wished_or_default("operations")
    if floor is None or site.nodes == 1 or not isinstance(operations, list) or floor.operation not in operations:
        return []
    sizes = [site.wished_or_default(f"sizes.{each}") for each in ("minBytes", "maxBytes", "stepFactor")]
    if not all(isinstance(each, int) and each > 0 for each in sizes) or sizes[2] == 1:
        return []  # the chart refuses them
    least, most, factor = sizes
    largest = least
    while largest * factor <= most:
        largest *= factor
    return [
        {
            "operation": floor.operation,
            "bytes": largest,
            "busBandwidthGibps": floor.bus_bandwidth_gibps,
            "source": floor.says,
            "enforced": floor.enforced,
        }
    ]


COLLECTIVES_CHECK = Recipe(
    chart="collectives-check",
    needs=(DEVICES, EFA_PLUGIN, KUEUE),
    # Both images have nccom-test, Open MPI and sshd.
    front_ends={"jax": "jax", "torch": "torch_neuronx_training"},
    front_end_key=None,
    nodes_key="nodes",
    usual_nodes=2,
    places=(),
    values=_values,
)

"""collectives-check: nccom-test over whole nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    return {"machine": context.machine, "nodes": context.nodes, "floors": _floors(context)}


def _floors(context: WorkloadContext) -> list[dict[str, Any]]:
    """The catalog's minimum bus bandwidth at the largest measured size. It is one of EFA, so one node has none."""
    minimum, operations = context.minimum_bus_bandwidth, context.value_or_default("operations")
    if minimum is None or context.nodes == 1 or not isinstance(operations, list):
        return []
    if minimum.operation not in operations:
        return []
    sizes = [context.value_or_default(f"sizes.{each}") for each in ("minBytes", "maxBytes", "stepFactor")]
    if not all(isinstance(each, int) and each > 0 for each in sizes) or sizes[2] == 1:
        return []  # the schema of the chart rejects them
    smallest, maximum, factor = sizes
    largest = smallest
    while largest * factor <= maximum:
        largest *= factor
    return [
        {
            "operation": minimum.operation,
            "bytes": largest,
            "busBandwidthGibps": minimum.bus_bandwidth_gibps,
            "source": minimum.says,
            "enforced": minimum.enforced,
        }
    ]


COLLECTIVES_CHECK = Recipe(
    chart="collectives-check",
    needs=(DEVICES, EFA_PLUGIN, KUEUE),
    # Both images have nccom-test, Open MPI and sshd.
    front_ends={"jax": "jax", "torch": "torch_neuronx_training"},
    front_end_key=None,
    nodes_key="nodes",
    default_nodes=2,
    locations=(),
    values=_values,
)

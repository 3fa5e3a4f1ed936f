"""collectives-check: nccom-test over whole nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.ultraserver_size import ultraserver_mode, ultraserver_size
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds, whole


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """Nodes that can share UltraServers do, as in neuron-training: NeuronLink between nodes is checked first here."""
    return {
        "machine": {**context.machine, "ultraServerMode": ultraserver_mode(context)},
        "nodes": context.nodes,
        "ultraServer": {"size": ultraserver_size(context)},
        "floors": _floors(context),
    }


def _uses_efa(context: WorkloadContext) -> bool:
    """Whether nodes communicate over EFA: not within one node or one UltraServer."""
    own = context.options.whole_number("ultraServer.size")
    return context.nodes not in (1, ultraserver_size(context) if own is None else own)


def _floors(context: WorkloadContext) -> list[dict[str, Any]]:
    """The catalog's minimum bus bandwidth at the largest measured size, which is one of EFA. No source has another."""
    minimum, operations = context.minimum_bus_bandwidth, context.value_or_default("operations")
    if minimum is None or not _uses_efa(context) or not isinstance(operations, list):
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


def _start(values: Mapping[str, Any]) -> StartNeeds:
    waits = whole(values, "nodes") > 1
    return StartNeeds(
        barrier_key="timeouts.startSeconds" if waits else "",
        deadline_key="timeouts.jobSeconds",
    )


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
    start=_start,
)

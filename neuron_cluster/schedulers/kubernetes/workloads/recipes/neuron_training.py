"""neuron-training: a distributed job over whole nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.plan.training_front_ends import TRAINING
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import ComponentNeed, Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.ultraserver_size import ultraserver_mode, ultraserver_size
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds, whole, writes_cache


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """Nodes that can share UltraServers do: their devices then communicate over NeuronLink, and with no other job."""
    return {
        "frontEnd": context.front_end,
        "machine": {**context.machine, "ultraServerMode": ultraserver_mode(context)},
        "nodes": context.nodes,
        "ultraServer": {"size": ultraserver_size(context)},
        "queue": {"topology": _network_layer(context)},
        "restarts": {"max": max(context.defaults["restarts"]["max"], context.expected_failures)},
    }


def _network_layer(context: WorkloadContext) -> str:
    """None for one node, for nodes of an UltraServer, which JobSet places, and for parts of nodes: Kueue may bind two
    such pods to one node, where their anti-affinity keeps the second one Pending."""
    is_whole = context.machine["neuronDevices"] == context.node.free_neuron_devices
    own = context.options.whole_number("ultraServer.size")
    together = ultraserver_size(context) if own is None else own
    return context.network_layer if context.nodes > 1 and is_whole and not together else ""


def _start(values: Mapping[str, Any]) -> StartNeeds:
    """How long its program compiles is not a value: the launcher waits as long as the job may run."""
    return StartNeeds(
        compiles=True,
        keeps_graphs=writes_cache(values),
        barrier_key="timeouts.startSeconds" if whole(values, "nodes") > 1 else "",
        deadline_key="timeouts.jobSeconds",
    )


NEURON_TRAINING = Recipe(
    chart="neuron-training",
    needs=(
        DEVICES,
        ComponentNeed("jobset", "with controller jobset; mpijob requires the MPI Operator (installed_otherwise)"),
        EFA_PLUGIN,
        KUEUE,
    ),
    front_ends=TRAINING,
    front_end_key="frontEnd",
    nodes_key="nodes",
    default_nodes=1,
    locations=(
        StorageLocation("checkpoints", "checkpoints", None, is_required=False, without_it="a drained job begins again"),
        StorageLocation(
            "compileCache",
            "compiled graphs",
            "compile-cache",
            is_required=False,
            without_it="each start compiles",
            is_written=True,
        ),
    ),
    values=_values,
    start=_start,
    dockerfiles={"torchtitan": "charts/neuron-training/images/torchtitan/Dockerfile"},
)

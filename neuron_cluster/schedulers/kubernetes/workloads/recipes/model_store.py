"""model-store: on a CPU node group, or on the processors of the Neuron group that the user names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext, processor_and_memory
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import MINUTE, StartNeeds

DOWNLOAD, DRILL = "download", "drill"
TOOLS = ("tokenize", "consolidate", "convert")
SHARED_MEMORY_PART = DISK_PART = 2
"""The divisor of the memory of the pod, and of the free disk of the node."""


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    drill = {"drill": {"schedule": context.drill_schedule}} if context.front_end == DRILL else {}
    return {"job": context.front_end, "machine": _machine(context), "awsRegion": context.region, **drill}


def _machine(context: WorkloadContext) -> Mapping[str, Any]:
    """A download takes little. A tool gets the whole CPU node; of a Neuron node, where jobs run, what it takes is the
    user's choice."""
    usual = context.defaults["machine"]
    is_named = context.options.group == context.group.name
    group = context.group if is_named or context.cpu_group is None else context.cpu_group
    node = context.node if group is context.group else context.cpu_node
    values = {key: usual[key] for key in ("cpu", "memoryGib", "sharedMemoryGib", "scratchGib")}
    if node is not None and node.whole_cpus is not None and node.memory_gib is not None:
        whole = processor_and_memory(node, Fraction(1))
        takes_all = context.front_end not in (DOWNLOAD, DRILL) and group is not context.group
        values["cpu"] = whole["cpu"] if takes_all else str(min(int(usual["cpu"]), int(whole["cpu"])))
        values["memoryGib"] = whole["memoryGib"] if takes_all else min(usual["memoryGib"], whole["memoryGib"])
        values["sharedMemoryGib"] = max(min(usual["sharedMemoryGib"], values["memoryGib"] // SHARED_MEMORY_PART), 1)
    if node is not None and node.storage_gib is not None:
        values["scratchGib"] = max(min(usual["scratchGib"], node.storage_gib // DISK_PART), 1)
    return {"instanceType": group.machine.instance_type, "nodeGroup": group.name, **values}


def _start(_values: Mapping[str, Any]) -> StartNeeds:
    return StartNeeds(deadline_key="timeoutMinutes", deadline_unit=MINUTE)


MODEL_STORE = Recipe(
    chart="model-store",
    needs=(KUEUE,),
    # The job is the front end. Its tools are in the training image; a download and a drill need Python alone.
    front_ends={
        DOWNLOAD: "jax",
        DRILL: "jax",
        **dict.fromkeys(TOOLS, "torch_neuronx_training"),
    },
    front_end_key="job",
    nodes_key=None,
    default_nodes=1,
    locations=(
        StorageLocation(
            "store",
            "models",
            "model-store",
            is_required=True,
            without_it="there is nowhere to put them",
            front_ends=(DOWNLOAD, *TOOLS),
            is_written=True,
        ),
        StorageLocation(
            "store",
            "checkpoints",
            "checkpoints",
            is_required=True,
            without_it="there is nothing to restore",
            front_ends=(DRILL,),
        ),
    ),
    values=_values,
    start=_start,
    user_key_of={"tokenize": "command", "consolidate": "args", "convert": "args"},
    uses_devices=False,
    runs_on_cpu_nodes=True,
)

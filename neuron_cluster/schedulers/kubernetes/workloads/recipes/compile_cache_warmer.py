"""compile-cache-warmer: on the processors of a CPU node group for vLLM, on devices for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext, processor_and_memory
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.tensor_parallel import usual_tensor_size
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import MINUTE, StartNeeds, whole

TENSOR_PARALLEL = "--tensor-parallel-size="
VLLM = "vllm"


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    wants_devices = context.front_end != VLLM or bool(context.options.whole_number("machine.neuronDevices"))
    lnc = context.machine["logicalNcConfig"]
    return {
        "compiler": {
            **({} if context.compiler is None else {"version": context.compiler}),
            "target": context.chip.families[0],
            "logicalNcConfig": lnc,
        },
        **({"graphs": _graphs(context)} if context.front_end == VLLM else {"weights": {"source": "none", "claim": ""}}),
        "machine": context.machine if wants_devices else _on_processors(context),
        "awsRegion": context.region,
    }


def _on_processors(context: WorkloadContext) -> Mapping[str, Any]:
    """The chart's resource requests, lowered where a node of the CPU node group has less; a node with enough memory for
    a large model, whole.
    """
    requested = context.defaults["machine"]
    node, group = context.cpu_node, context.cpu_group
    cpus, memory = int(requested["cpu"]), requested["memoryGib"]
    if node is not None and (node.memory_gib or 0) >= context.compile_memory_gib:
        whole_node = processor_and_memory(node, Fraction(1))
        cpus, memory = int(whole_node["cpu"]), whole_node["memoryGib"]
    if node is not None and node.whole_cpus is not None:
        cpus = min(cpus, max(node.whole_cpus, 1))
    if node is not None and node.memory_gib is not None:
        memory = min(memory, max(node.memory_gib, 1))
    return {
        "instanceType": "" if group is None else group.machine.instance_type,
        "nodeGroup": "" if group is None else group.name,
        "neuronDevices": 0,
        "neuronCores": 0,
        "logicalNcConfig": 0,
        "efaInterfaces": 0,
        "cpu": str(cpus),
        "memoryGib": memory,
        "hugepages2MiGib": 0,
    }


def _graphs(context: WorkloadContext) -> list[dict[str, Any]]:
    """The chart's own, cut for the instance that will serve them: as the recipe of neuron-serving cuts them."""
    cores = usual_tensor_size(context)
    graphs: list[dict[str, Any]] = value_at(context.defaults, "graphs")
    return [{**graph, "args": [_argument(each, cores) for each in graph["args"]]} for graph in graphs]


def _argument(argument: str, cores: int) -> str:
    return f"{TENSOR_PARALLEL}{cores}" if argument.startswith(TENSOR_PARALLEL) else argument


def _start(values: Mapping[str, Any]) -> StartNeeds:
    """Its compilation is the work, which the deadline counts too."""
    is_copied = value_at(values, "weights.source") == "s3"
    return StartNeeds(
        compiles=True,
        keeps_graphs=True,
        copy_gib=whole(values, "weights.sizeGib") if is_copied else 0,
        gigabits_per_second=whole(values, "weights.gigabitsPerSecond"),
        deadline_key="timeoutMinutes",
        deadline_unit=MINUTE,
    )


COMPILE_CACHE_WARMER = Recipe(
    chart="compile-cache-warmer",
    needs=(DEVICES, KUEUE),
    front_ends={VLLM: "vllm", "torch": "torch_neuronx_training", "jax": "jax"},
    front_end_key=None,
    nodes_key=None,
    default_nodes=1,
    locations=(
        StorageLocation(
            "compileCache",
            "compiled graphs",
            "compile-cache",
            is_required=True,
            without_it="nothing is kept",
            is_written=True,
        ),
        StorageLocation(
            "weights",
            "the model's weights",
            None,
            is_required=True,
            without_it="vLLM has nothing to compile",
            front_ends=(VLLM,),
        ),
    ),
    values=_values,
    start=_start,
    user_key_of={"torch": "graphs", "jax": "graphs"},
    fills_compile_cache=True,
)

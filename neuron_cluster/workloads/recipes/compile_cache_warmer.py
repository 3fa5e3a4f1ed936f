"""compile-cache-warmer: on the processors of a side group for vLLM, on devices for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.place import Place
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.recipes.needs import DEVICES, KUEUE

TENSOR_PARALLEL = "--tensor-parallel-size="
VLLM = "vllm"


def _values(site: WorkloadContext) -> Mapping[str, Any]:
    wants_devices = site.front_end != VLLM or bool(site.wish.whole_number("machine.neuronDevices"))
    lnc = site.machine["logicalNcConfig"]
    return {
        "compiler": {
            **({} if site.compiler is None else {"version": site.compiler}),
            "target": site.chip.families[0],
            "logicalNcConfig": lnc,
        },
        **({"graphs": _graphs(site)} if site.front_end == VLLM else {"weights": {"source": "none", "claim": ""}}),
        "machine": site.machine if wants_devices else _on_processors(site),
        "awsRegion": site.region,
    }


def _on_processors(site: WorkloadContext) -> Mapping[str, Any]:
    """The chart's own wishes, made smaller where a node of the side group has less."""
    wished = site.defaults["machine"]
    room, group = site.side_room, site.side_group
    cores = int(wished["cpu"]) if room is None or room.cores is None else min(int(wished["cpu"]), max(room.cores, 1))
    memory = wished["memoryGib"]
    if room is not None and room.memory_gib is not None:
        memory = min(memory, max(room.memory_gib, 1))
    return {
        "instanceType": "" if group is None else group.machine.instance_type,
        "nodeGroup": "" if group is None else group.name,
        "neuronDevices": 0,
        "neuronCores": 0,
        "logicalNcConfig": 0,
        "efaInterfaces": 0,
        "cpu": str(cores),
        "memoryGib": memory,
        "hugepages2MiGib": 0,
    }


def _graphs(site: WorkloadContext) -> list[dict[str, Any]]:
    """The chart's own, cut for the machine that will serve them: as the recipe of neuron-serving cuts them."""
    cores = max(site.machine["neuronCores"], 1)
    graphs: list[dict[str, Any]] = value_at(site.defaults, "graphs")
    return [{**graph, "args": [_argument(each, cores) for each in graph["args"]]} for graph in graphs]


def _argument(argument: str, cores: int) -> str:
    return f"{TENSOR_PARALLEL}{cores}" if argument.startswith(TENSOR_PARALLEL) else argument


COMPILE_CACHE_WARMER = Recipe(
    chart="compile-cache-warmer",
    needs=(DEVICES, KUEUE),
    front_ends={VLLM: "vllm", "torch": "torch_neuronx_training", "jax": "jax"},
    front_end_key=None,
    nodes_key=None,
    usual_nodes=1,
    places=(
        Place("compileCache", "compiled graphs", "compile-cache", is_required=True, without_it="nothing is kept"),
        Place(
            "weights",
            "the model's weights",
            None,
            is_required=True,
            without_it="vLLM has nothing to compile",
            front_ends=(VLLM,),
        ),
    ),
    values=_values,
    own_key_of={"torch": "graphs", "jax": "graphs"},
)

"""batch-inference: vLLM over a file of requests, on whole nodes or on as many devices as the user names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.tensor_parallel import usual_tensor_size
from neuron_cluster.schedulers.kubernetes.workloads.recipes.vllm_start import vllm_start


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """One copy of the model over the cores of a pod, as in neuron-serving."""
    compiler = {} if context.compiler is None else {"compiler": {"version": context.compiler}}
    return {
        "engine": context.front_end,
        "machine": context.machine,
        "model": {"tensorParallelSize": usual_tensor_size(context)},
        **compiler,
        "awsRegion": context.region,
    }


BATCH_INFERENCE = Recipe(
    chart="batch-inference",
    needs=(DEVICES, KUEUE),
    front_ends={"vllm": "vllm", "vllm_nxd": "vllm_nxd"},
    front_end_key="engine",
    nodes_key=None,
    default_nodes=1,
    locations=(
        StorageLocation(
            "data",
            "requests and results",
            "batch",
            is_required=True,
            without_it="there is nothing to answer",
            is_written=True,
        ),
        StorageLocation(
            "weights", "the model's weights", None, is_required=True, without_it="there is no model to answer"
        ),
        StorageLocation(
            "compileCache", "compiled graphs", "compile-cache", is_required=False, without_it="each start compiles"
        ),
    ),
    values=_values,
    start=vllm_start,
    keys_given_together=(("model.name", "weights.path"),),
)

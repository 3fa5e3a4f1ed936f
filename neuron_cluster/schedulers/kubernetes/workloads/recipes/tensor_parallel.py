"""Over how many cores a server divides a model where the user names no number."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext


def usual_tensor_size(context: WorkloadContext) -> int:
    """The largest size of AWS's list that the cores of a node have; all cores without a list, and of several nodes."""
    cores: int = max(context.machine["neuronCores"], 1)
    if context.nodes > 1:
        return cores * context.nodes
    return max((size for size in context.chip.tensor_parallel_sizes if size <= cores), default=cores)

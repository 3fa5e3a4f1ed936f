"""How many nodes of an UltraServer a job takes together."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext

SIZES = (4, 2)
"""Nodes of an UltraServer that a job takes together, in the order of the charts, the larger first."""


def ultraserver_size(context: WorkloadContext) -> int:
    """The largest that the nodes of the job fill; 0 for none. Their devices then communicate over NeuronLink."""
    return next((size for size in SIZES if size in context.ultraserver_sizes and context.nodes % size == 0), 0)


def ultraserver_mode(context: WorkloadContext) -> int:
    """The mode of a claim: the size that the user or this module chose, 1 for a node alone, 0 for claims of devices."""
    own = context.options.whole_number("ultraServer.size")
    together = ultraserver_size(context) if own is None else own
    mode: int = context.machine["ultraServerMode"] and (together or 1)
    return mode

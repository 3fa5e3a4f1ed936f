"""serving-check: requests to a served model, from a node that has the server's image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """On the node group of the servers: they leave processors and memory free, and their nodes have the image."""
    return {"machine": {key: context.machine[key] for key in ("instanceType", "nodeGroup")}}


def _start(_values: Mapping[str, Any]) -> StartNeeds:
    return StartNeeds(deadline_key="timeouts.jobSeconds")


SERVING_CHECK = Recipe(
    chart="serving-check",
    needs=(DEVICES,),
    front_ends={"vllm": "vllm", "vllm_nxd": "vllm_nxd"},
    front_end_key=None,
    nodes_key=None,
    default_nodes=1,
    locations=(),
    values=_values,
    start=_start,
    uses_devices=False,
)

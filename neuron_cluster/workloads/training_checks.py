"""Whether the state of a model that is trained fits its nodes, and can be saved before its pods are killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.model_shape import ModelShape

GB, GIB, MB, GIB_PER_TIB = 10**9, 2**30, 10**6, 1024
GRACE = "stop.graceSeconds"


def training_findings(
    plan: ClusterPlan,
    context: WorkloadContext,
    values: Mapping[str, Any],
    shape: ModelShape,
    catalog: Catalog,
    chart: str,
) -> Iterator[Finding]:
    """W9263 for memory and W9264 for the time of a save. ``values`` are complete."""
    if shape.parameters is None:
        return
    state = shape.parameters * catalog.limit("checkpoint_bytes_per_parameter").require_maximum()
    yield from _too_large(context, values, shape, state, chart)
    yield from _too_slow(plan, values, state, chart)


def _too_large(
    context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape, state: int, chart: str
) -> Iterator[Finding]:
    nodes, devices = value_at(values, "nodes"), value_at(values, "machine.neuronDevices")
    if not isinstance(nodes, int) or not isinstance(devices, int):
        return
    memory = context.chip.device_memory_gib * GIB * devices
    if state > nodes * memory:
        message = (
            f"weights and optimizer of {shape.name} are about {state // GB} GB with AdamW in FP32, and {nodes} nodes "
            f"with {devices} Neuron devices have {nodes * memory // GB} GB, also for gradients and activations"
        )
        hint = f"request more than {ceil(state / memory)} nodes; adapters and other optimizers need less"
        yield finding("W9263", chart, "nodes", message, hint)


def _too_slow(plan: ClusterPlan, values: Mapping[str, Any], state: int, chart: str) -> Iterator[Finding]:
    lustre = plan.storage.lustre if plan.storage is not None else None
    grace = value_at(values, GRACE)
    if value_at(values, "checkpoints.claim") != LUSTRE_CLAIM or lustre is None or not isinstance(grace, int):
        return
    if lustre.throughput_mbps_per_tib is None or lustre.capacity_gib is None:
        return
    throughput = lustre.throughput_mbps_per_tib * lustre.capacity_gib // GIB_PER_TIB
    seconds = ceil(state / MB / throughput) if throughput else 0
    if seconds > grace:
        message = (
            f"a checkpoint of about {state // GB} GB takes {seconds} s at the {throughput} MB/s of the file system, "
            f"and pods are killed {grace} s after the signal to save ({GRACE})"
        )
        hint = (
            f"set {GRACE}={seconds * 2}; or raise throughput_mbps_per_tib or the capacity of storage.lustre, or save "
            "often enough to lose what a stop does not save"
        )
        yield finding("W9264", chart, GRACE, message, hint)

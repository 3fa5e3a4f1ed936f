"""Whether the cores of a trainer can share a model, its nodes hold its state, and save it before pods are killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.sizing.model_shape import ModelShape
from neuron_cluster.sizing.trainer import state_bytes, state_shortfall, trainer_problems

GB, MB, GIB_PER_TIB = 10**9, 10**6, 1024
GRACE = "stop.graceSeconds"


def training_findings(
    plan: ClusterPlan,
    context: WorkloadContext,
    values: Mapping[str, Any],
    shape: ModelShape,
    catalog: Catalog,
    chart: str,
) -> Iterator[Finding]:
    """E9262 and W9263 for sizes, W9263 for memory and W9264 for the time of a save. ``values`` are complete."""
    arguments, cores = value_at(values, "trainer.args"), value_at(values, "machine.neuronCores")
    if isinstance(arguments, list) and isinstance(cores, int):
        for each in trainer_problems([str(argument) for argument in arguments], shape, max(cores, 1), catalog):
            yield finding(each.id, chart, "trainer.args", each.message, each.hint)
    if shape.parameters is None:
        return
    nodes, devices = value_at(values, "nodes"), value_at(values, "machine.neuronDevices")
    found = None
    if isinstance(nodes, int) and isinstance(devices, int):
        found = state_shortfall(shape, context.chip, nodes, devices, catalog)
    if found is not None:
        yield finding("W9263", chart, "nodes", *found)
    yield from _too_slow(plan, values, state_bytes(shape.parameters, catalog), chart)


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

"""Whether the cores of a trainer can share a model, its nodes hold its state, and save it before pods are killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.model_division import division_problems, stage_problems
from neuron_cluster.workloads.model_shape import ModelShape
from neuron_cluster.workloads.program_options import whole_option

GB, GIB, MB, GIB_PER_TIB = 10**9, 2**30, 10**6, 1024
GRACE = "stop.graceSeconds"
TRAINING = "training"
"""The row of divisions of models that are trained."""
TENSOR = ("--tensor-parallel-size", "--tensor-model-parallel-size", "--tensor-parallel-degree")
PIPELINE = ("--pipeline-parallel-size", "--pipeline-model-parallel-size", "--pipeline-parallel-degree")
"""Names of options in trainers of NxD, NeMo and TorchTitan, which have underscores in some."""


def training_findings(
    plan: ClusterPlan,
    context: WorkloadContext,
    values: Mapping[str, Any],
    shape: ModelShape,
    catalog: Catalog,
    chart: str,
) -> Iterator[Finding]:
    """E9262 and W9263 for sizes, W9263 for memory and W9264 for the time of a save. ``values`` are complete."""
    words, cores = value_at(values, "trainer.args"), value_at(values, "machine.neuronCores")
    if isinstance(words, list) and isinstance(cores, int):
        for each in trainer_problems([str(word) for word in words], shape, max(cores, 1)):
            yield finding(each.id, chart, "trainer.args", each.message, each.hint)
    if shape.parameters is None:
        return
    nodes, devices = value_at(values, "nodes"), value_at(values, "machine.neuronDevices")
    found = None
    if isinstance(nodes, int) and isinstance(devices, int):
        found = state_shortfall(shape, context.chip, nodes, devices, catalog)
    if found is not None:
        yield finding("W9263", chart, "nodes", *found)
    yield from _too_slow(plan, values, _state(shape.parameters, catalog), chart)


def _state(parameters: int, catalog: Catalog) -> int:
    """Bytes of weights and optimizer, as a checkpoint has them."""
    return parameters * catalog.limit("checkpoint_bytes_per_parameter").require_maximum()


def state_shortfall(
    shape: ModelShape, chip: Chip, nodes: int, devices: int, catalog: Catalog
) -> tuple[str, str] | None:
    """Returns message and hint if weights and optimizer need more memory than ``devices`` of each node have."""
    memory = chip.device_memory_gib * GIB * devices
    state = _state(shape.parameters or 0, catalog)
    if state <= nodes * memory:
        return None
    message = (
        f"weights and optimizer of {shape.name} are about {state // GB} GB with AdamW in FP32, and {nodes} nodes "
        f"with {devices} Neuron devices have {nodes * memory // GB} GB, also for gradients and activations"
    )
    return message, f"request more than {ceil(state / memory)} nodes; adapters and other optimizers need less"


class TrainerProblem(Struct, frozen=True):
    """A size that the options of a trainer do not divide; ``id`` is that of the finding."""

    id: str
    message: str
    hint: str


def trainer_problems(words: Sequence[str], shape: ModelShape, cores: int) -> Iterator[TrainerProblem]:
    """Sizes that tensor and pipeline parallelism of a trainer's words do not divide, by their usual names."""
    tensor, stages = whole_option(words, *TENSOR), whole_option(words, *PIPELINE)
    for each in division_problems(shape, TRAINING, tensor=tensor, cores=cores) if tensor else ():
        yield TrainerProblem(
            each.id, each.message, f"use tensor parallelism of {', '.join(map(str, each.sizes))} cores"
        )
    for each in stage_problems(shape, stages) if stages else ():
        yield TrainerProblem(each.id, each.message, f"use {', '.join(map(str, each.sizes))} stages")


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

"""Whether pods of NxD that save to S3 have the memory and the Region that this takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import items
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.program_settings import IS_FOR_CHECKPOINTS, program_settings
from neuron_cluster.sizing.model_shape import ModelShape

NXD, XSER, SCHEME, GIB = "nxd", "nxd_xser", "s3://", 2**30
MEMORY, VARIABLES, ARGUMENTS = "machine.sharedMemoryGib", "trainer.env", "trainer.args"
REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


def s3_checkpoint_findings(
    plan: ClusterPlan, values: Mapping[str, Any], shape: ModelShape | None, catalog: Catalog, chart: str
) -> Iterator[Finding]:
    """E9268 and W9269 for the size of /dev/shm, W9270 for the Region. ``values`` are complete.

    NxD writes each file to /dev/shm before it uploads it, and queries instance metadata without a token for the Region
    (aws-neuron/neuronx-distributed@fbac349: src/neuronx_distributed/trainer/checkpoint_storage.py).
    """
    if value_at(values, "frontEnd") != NXD or not any(map(_is_s3_checkpoint, _settings(values))):
        return
    if not any(value_at(each, "name") in REGIONS for each in items(value_at(values, VARIABLES))):
        message = "NxD saves to S3, and no variable sets the Region: nodes require a token for instance metadata"
        hint = f"add {{name: AWS_REGION, value: {plan.region}}} to {VARIABLES}"
        yield finding("W9270", chart, VARIABLES, message, hint)
    written = _written(plan, values, shape, catalog)
    given = value_at(values, MEMORY)
    if written is not None and isinstance(given, int):
        yield from _too_little_memory(given, written, chart)


class _Written(Struct, frozen=True):
    """The files that ranks of a node write to /dev/shm at once. ``size`` is in bytes."""

    what: str
    size: float
    writers: int
    others: str
    """Edits that reduce it, other than more memory."""


def _written(
    plan: ClusterPlan, values: Mapping[str, Any], shape: ModelShape | None, catalog: Catalog
) -> _Written | None:
    """Files, or single tensors with ``use_xser``; None where their size is not known."""
    nodes, ranks = value_at(values, "nodes"), value_at(values, "machine.neuronCores")
    if shape is None or not (isinstance(nodes, int) and isinstance(ranks, int) and nodes and ranks):
        return None
    checkpoints = plan.storage.checkpoints if plan.storage is not None else None
    if checkpoints is not None and checkpoints.request.framework == XSER:
        if shape.largest_tensor is None:
            return None
        # use_xser ignores num_workers: each rank writes.
        size = shape.largest_tensor * catalog.weight_formats["fp32"].size / (checkpoints.request.tensor_parallel or 1)
        return _Written("tensors of up to", size, ranks, "or raise tensor parallelism in the program")
    if shape.parameters is None:
        return None
    state = shape.parameters * catalog.limits["checkpoint_bytes_per_parameter"].require_maximum()
    writers = min(ranks, catalog.limits["nxd_save_workers"].require_maximum())
    others = "train on more nodes, or set a smaller num_workers in the program"
    return _Written("about", state / (nodes * ranks), writers, others)


def _too_little_memory(given: int, written: _Written, chart: str) -> Iterator[Finding]:
    size = written.size * written.writers
    if given * GIB >= size:
        return
    is_too_small_for_one = given * GIB < written.size
    amount = f"{written.what} {written.size / GIB:.1f} GiB"
    message = (
        f"a rank writes {amount} there before the upload to S3"
        if is_too_small_for_one
        else f"{written.writers} ranks write {amount} each there at once"
    )
    yield finding(
        "E9268" if is_too_small_for_one else "W9269",
        chart,
        MEMORY,
        f"shared memory (/dev/shm) has {given} GiB, and {message}",
        f"set {MEMORY}={ceil(size / GIB)}, {written.others}",
    )


def _settings(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and value of arguments and variables of the program."""
    yield from program_settings(items(value_at(values, ARGUMENTS)), items(value_at(values, VARIABLES)))


def _is_s3_checkpoint(setting: tuple[str, str]) -> bool:
    name, value = setting
    return value.startswith(SCHEME) and IS_FOR_CHECKPOINTS.search(name) is not None

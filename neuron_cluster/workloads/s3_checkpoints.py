"""Whether pods of NxD that save to S3 have the memory and the Region that this takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.kubernetes.fields import items
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.model_shape import ModelShape
from neuron_cluster.workloads.program_settings import IS_FOR_CHECKPOINTS, program_settings

NXD, SCHEME, GIB = "nxd", "s3://", 2**30
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
    if shape is not None and shape.parameters is not None and not _writes_tensors(plan):
        yield from _too_little_memory(values, shape.parameters, catalog, chart)


def _too_little_memory(values: Mapping[str, Any], parameters: int, catalog: Catalog, chart: str) -> Iterator[Finding]:
    nodes, ranks, given = (value_at(values, key) for key in ("nodes", "machine.neuronCores", MEMORY))
    if not (isinstance(nodes, int) and isinstance(ranks, int) and isinstance(given, int) and nodes and ranks):
        return
    state = parameters * catalog.limit("checkpoint_bytes_per_parameter").require_maximum()
    file = state / (nodes * ranks)
    writers = min(ranks, catalog.limit("nxd_save_workers").require_maximum())
    if given * GIB >= file * writers:
        return
    is_too_small_for_one = given * GIB < file
    message = (
        f"a rank writes about {file / GIB:.1f} GiB there before the upload to S3"
        if is_too_small_for_one
        else f"{writers} ranks write about {file / GIB:.1f} GiB each there at once"
    )
    hint = (
        f"set {MEMORY}={ceil(file * writers / GIB)}, train on more nodes, or set a smaller num_workers in the program"
    )
    yield finding(
        "E9268" if is_too_small_for_one else "W9269",
        chart,
        MEMORY,
        f"shared memory (/dev/shm) has {given} GiB, and {message}",
        hint,
    )


def _writes_tensors(plan: ClusterPlan) -> bool:
    """Whether files are those of single tensors, whose size is not known."""
    checkpoints = plan.storage.checkpoints if plan.storage is not None else None
    return checkpoints is not None and checkpoints.request.framework == "nxd_xser"


def _settings(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and value of arguments and variables of the program."""
    yield from program_settings(items(value_at(values, ARGUMENTS)), items(value_at(values, VARIABLES)))


def _is_s3_checkpoint(setting: tuple[str, str]) -> bool:
    name, value = setting
    return value.startswith(SCHEME) and IS_FOR_CHECKPOINTS.search(name) is not None

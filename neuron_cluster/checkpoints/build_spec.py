"""Decides every value that a request leaves open, from the catalog."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.checkpoint_state import CheckpointState
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.node_failure_rate import USUAL
from neuron_cluster.checkpoints.request import DEFAULT_OPTIMIZER, DEFAULT_PRECISION, CheckpointRequest, Writers
from neuron_cluster.checkpoints.spec import BucketRetention, CheckpointSpec

MINUTE = 60.0
REPLACEMENT = ("instance_replacement", "node_boot_and_join", "image_pull")
"""Rows of ``controller_timings``: from the failure of an instance until the programs of its successor start."""


def writers_of(row: InstanceType, nodes: int, logical_nc_config: int | None = None) -> Writers:
    """Nodes of one type, with a rank on each NeuronCore that software sees."""
    config = logical_nc_config or row.default_logical_nc_config
    cores = row.neuron_cores_at(config) if config is not None else row.neuron_cores
    return Writers(instance_type=row.name, nodes=nodes, ranks_per_node=cores, host_memory_gib=row.memory_gib)


def build_spec(
    request: CheckpointRequest, writers: Writers, bucket: BucketRetention | None, catalog: Catalog
) -> CheckpointSpec:
    """``bucket`` is the one that the file system exports to, None without one.

    Raises LookupError for a request that ``invalid_fields`` has something to say about.
    """
    parameters = request.parameters if request.model is None else catalog.models[request.model].parameters
    if parameters is None:
        raise LookupError("neither parameters nor model")
    interval, rate = request.interval_minutes, request.failures_percent_per_hour
    return CheckpointSpec(
        parameters=parameters,
        state=_state(request, catalog),
        layout=catalog.checkpoint_layouts[request.framework],
        nodes=writers.nodes,
        ranks_per_node=writers.ranks_per_node or 1,
        model_ranks=(request.tensor_parallel or 1) * request.pipeline_parallel,
        tensors_per_rank=request.tensors_per_rank or 0,
        mode=request.mode,
        interval=interval * MINUTE if interval is not None else None,
        stall=request.stall_seconds,
        kept=request.keep_latest,
        golden_every=request.golden_every,
        golden_days=request.golden_days,
        bucket=bucket,
        failures_per_hour=rate / 100 if rate is not None else catalog.node_failure_rates[USUAL].per_hour,
        restart=_restart(request, catalog),
        host_memory_gib=writers.host_memory_gib,
    )


def _state(request: CheckpointRequest, catalog: Catalog) -> CheckpointState:
    """Returns the state of the catalog, else the given size with as many tensors as the default optimizer has."""
    if request.bytes_per_parameter is None:
        return catalog.checkpoint_states[request.state_name]
    return structs.replace(
        catalog.checkpoint_states[f"{DEFAULT_OPTIMIZER}-{DEFAULT_PRECISION}"],
        name="bytes_per_parameter",
        source="storage.checkpoints.bytes_per_parameter",
        what="bytes_per_parameter",
        bytes_per_parameter=request.bytes_per_parameter,
        doubt=FrozenMap({"tensors_per_weight": f"as many as {DEFAULT_OPTIMIZER} has"}),
    )


def _restart(request: CheckpointRequest, catalog: Catalog) -> float:
    if request.restart_minutes is not None:
        return request.restart_minutes * MINUTE
    return sum(catalog.controller_timings[name].seconds for name in REPLACEMENT)

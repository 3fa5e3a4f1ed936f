"""70 billion parameters on 32 nodes, with changes."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.node_failure_rate import USUAL
from neuron_cluster.checkpoints.spec import CheckpointSpec, SaveMode

CATALOG = load_catalog()


def spec_with(**changes: object) -> CheckpointSpec:
    values: dict[str, object] = {
        "parameters": 70e9,
        "state": CATALOG.checkpoint_states["adamw-fp32"],
        "layout": CATALOG.checkpoint_layouts["dcp"],
        "nodes": 32,
        "ranks_per_node": 32,
        "model_ranks": 32 * 8,
        "tensors_per_rank": 80,
        "mode": SaveMode.SYNC,
        "interval": None,
        "stall": 60.0,
        "kept": 3,
        "bucket": None,
        "failures_per_hour": CATALOG.node_failure_rates[USUAL].per_hour,
        "restart": 1200.0,
        "host_memory_gib": 512,
        **changes,
    }
    return CheckpointSpec(**values)  # type: ignore[arg-type]

"""Start of charts that run vLLM: compile, copy and load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import MINUTE, StartNeeds, whole, writes_cache

VLLM, VLLM_NXD = "vllm", "vllm_nxd"


def vllm_start(values: Mapping[str, Any]) -> StartNeeds:
    """``startup`` has the longest time of a start. Of a cache, vLLM Neuron only reads; NxD Inference writes to it."""
    engine = value_at(values, "engine")
    return StartNeeds(
        compiles=engine in (VLLM, VLLM_NXD),
        compile_seconds=MINUTE * whole(values, "startup.compileMinutes"),
        compile_key="startup.compileMinutes",
        keeps_graphs=engine == VLLM_NXD and writes_cache(values),
        load_seconds=MINUTE * whole(values, "startup.loadMinutes"),
        load_key="startup.loadMinutes",
        copy_gib=whole(values, "weights.sizeGib") if value_at(values, "weights.source") == "s3" else 0,
        gigabits_per_second=whole(values, "weights.gigabitsPerSecond"),
    )

"""Checks of what fills the compile cache, and of servers that depend on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, WRITER
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.namespace_bucket import key_in_bucket
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

URL, REQUIRED, MEMORY = "compileCache.url", "precompiled.required", "machine.memoryGib"


def cache_findings(
    plan: ClusterPlan, context: WorkloadContext, values: Mapping[str, Any], recipe: Recipe
) -> Iterator[Finding]:
    """W9280, W9281 and W9282. ``values`` are complete."""
    if recipe.fills_compile_cache:
        yield from _unread_prefix(plan, values, recipe.chart)
        yield from _little_memory(context, values, recipe.chart)
    elif value_at(values, REQUIRED) is True:
        message = f"{REQUIRED} is true: the server compiles nothing, and stops while the cache lacks one of its graphs"
        hint = (
            "fill it first, with the same arguments and image: `neuron-cluster workload submit compile-cache-warmer "
            f"{plan.name}`; or set {REQUIRED}=false until `neuron-cluster cache status {plan.name}` lists them"
        )
        yield finding("W9281", recipe.chart, REQUIRED, message, hint)


def without_general_memory(findings: list[Finding]) -> list[Finding]:
    """The findings without W9282 where E9297 or W9298 states the memory that the model itself takes."""
    is_of_model = any(each.id in ("E9297", "W9298") for each in findings)
    return [each for each in findings if not (is_of_model and each.id == "W9282")]


def _unread_prefix(plan: ClusterPlan, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    url = str(value_at(values, URL) or "")
    key = key_in_bucket(url, plan)
    has_cache = plan.storage is not None and plan.storage.compile_cache is not None
    if key is None or not has_cache or f"{key}/".startswith(COMPILE_CACHE_PREFIX):
        return
    roles = plan.kubernetes.workload_roles if plan.kubernetes is not None else ()
    home = next((each.namespace for each in roles if each.service_account == WRITER), "")
    message = f"{url} is not the compile cache of the environment, {COMPILE_CACHE_PREFIX}, which its workloads read"
    yield finding("W9280", chart, URL, message, f"leave {URL} out, and use --namespace {home}")


def _little_memory(context: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    memory, enough = value_at(values, MEMORY), context.compile_memory_gib
    if not isinstance(memory, int) or memory >= enough:
        return
    message = f"{MEMORY} is {memory}: graphs of a large model may take {enough} GiB and more (no source has a figure)"
    hint = (
        f"set {MEMORY}={enough} with nodes that have it, such as a group without Neuron devices and taints; for a "
        "small model nothing is to be done"
    )
    yield finding("W9282", chart, MEMORY, message, hint)

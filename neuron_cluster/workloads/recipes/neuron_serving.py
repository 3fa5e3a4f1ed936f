"""neuron-serving: vLLM on whole nodes, or on as many chips as the user names; TorchServe on Inf1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.recipe import ComponentNeed, Recipe, StorageLocation
from neuron_cluster.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE
from neuron_cluster.workloads.startup.needs import MINUTE, StartNeeds, whole

VLLM = ("vllm", "vllm_nxd")


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """One copy of the model over all cores of a replica; the best split of a model is its owner's choice.

    The model that the chart names is one of vLLM: the folder of model archives is the root of the storage.
    """
    compiler = {} if context.compiler is None else {"compiler": {"version": context.compiler}}
    return {
        "engine": context.front_end,
        "machine": context.machine,
        "nodesPerReplica": context.nodes,
        "model": {"tensorParallelSize": max(context.machine["neuronCores"] * context.nodes, 1)},
        **compiler,
        **({} if context.front_end in VLLM else {"weights": {"path": ""}}),
        **_callers(context),
        "awsRegion": context.region,
    }


def _callers(context: WorkloadContext) -> Mapping[str, Any]:
    """The load balancer of an Ingress sends from its own addresses, which are in the subnets tagged for its scheme.

    Those of a Gateway are not known: an HTTPRoute does not name the controller that serves it. Source of the tags:
    https://docs.aws.amazon.com/eks/latest/userguide/alb-ingress.html
    """
    gateway = {key: context.value_or_default(f"gateway.{key}") for key in ("enabled", "kind", "scheme")}
    if gateway["enabled"] is not True or gateway["kind"] != "ingress":
        return {}
    is_public = gateway["scheme"] == "internet-facing"
    tier = SubnetTier.PUBLIC if is_public else SubnetTier.PRIVATE
    return {"networkPolicy": {"cidrs": [subnet.cidr for subnet in context.network.subnets_of(tier)]}}


KEEP_GRAPHS = (
    "keep the graphs in compileCache.claim (with compileCache.share), or fill compileCache.url with "
    "charts/compile-cache-warmer and set precompiled.required: true"
)


def _keeps_graphs(values: Mapping[str, Any]) -> bool:
    """NxD Inference writes to any cache; of vLLM Neuron the chart puts the graphs into a claim alone."""
    cache: Mapping[str, Any] = value_at(values, "compileCache") or {}
    if value_at(values, "engine") == "vllm":
        return bool(cache.get("claim") and cache.get("share"))
    return bool(cache.get("claim") or cache.get("url"))


def _start(values: Mapping[str, Any]) -> StartNeeds:
    """``startup`` has the longest time of a start; with ``precompiled.required`` it compiles nothing."""
    source = value_at(values, "weights.source")
    size = whole(values, "weights.sizeGib")
    is_scaled = value_at(values, "autoscaling.enabled") is True
    return StartNeeds(
        compiles=value_at(values, "engine") in VLLM and value_at(values, "precompiled.required") is not True,
        compile_seconds=MINUTE * whole(values, "startup.compileMinutes"),
        compile_key="startup.compileMinutes",
        keeps_graphs=_keeps_graphs(values),
        to_keep_graphs=KEEP_GRAPHS,
        load_seconds=MINUTE * whole(values, "startup.loadMinutes"),
        load_key="startup.loadMinutes",
        copy_gib=size if source == "s3" else 0,
        keeps_copy=any(value_at(values, f"weights.nodeCache.{each}") for each in ("claim", "hostPath")),
        read_gib=size if source == "mountpoint" else 0,
        gigabits_per_second=whole(values, "weights.gigabitsPerSecond"),
        replicas=whole(values, "autoscaling.maxReplicas" if is_scaled else "replicas"),
        is_ready_when_loaded=True,
    )


NEURON_SERVING = Recipe(
    chart="neuron-serving",
    needs=(
        DEVICES,
        ComponentNeed("leader_worker_set", "with nodesPerReplica above 1"),
        EFA_PLUGIN,
        ComponentNeed("keda", "with autoscaling.enabled"),
        ComponentNeed("kube_prometheus_stack", "with podMonitor.enabled"),
        ComponentNeed("aws_load_balancer_controller", "with gateway.enabled"),
        ComponentNeed("mountpoint_s3_csi_driver", "with weights.source mountpoint"),
        KUEUE,
    ),
    front_ends={"vllm": "vllm", "vllm_nxd": "vllm_nxd", "torchserve": "torch_neuron"},
    front_end_key="engine",
    nodes_key="nodesPerReplica",
    default_nodes=1,
    locations=(
        StorageLocation(
            "weights", "the model's weights", None, is_required=True, without_it="there is nothing to serve"
        ),
        StorageLocation(
            "compileCache",
            "compiled graphs",
            "compile-cache",
            is_required=False,
            without_it="each start compiles",
            front_ends=VLLM,
        ),
    ),
    values=_values,
    start=_start,
    keys_given_together=(("model.name", "weights.path"),),
    is_server=True,
)

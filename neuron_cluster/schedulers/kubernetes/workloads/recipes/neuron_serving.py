"""neuron-serving: vLLM on whole nodes, or on as many chips as the user names; TorchServe on Inf1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.schedulers.kubernetes.software.front_ends import SERVING
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.recipe import ComponentNeed, Recipe, StorageLocation
from neuron_cluster.schedulers.kubernetes.workloads.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.tensor_parallel import usual_tensor_size
from neuron_cluster.schedulers.kubernetes.workloads.recipes.vllm_start import vllm_start
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds, whole

VLLM = ("vllm", "vllm_nxd")


def _values(context: WorkloadContext) -> Mapping[str, Any]:
    """One copy of the model over the cores of a replica; the best split of a model is its owner's choice.

    The model that the chart names is one of vLLM: the folder of model archives is the root of the storage.
    """
    compiler = {} if context.compiler is None else {"compiler": {"version": context.compiler}}
    return {
        "engine": context.front_end,
        "machine": context.machine,
        "nodesPerReplica": context.nodes,
        "model": {"tensorParallelSize": usual_tensor_size(context)},
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


def _start(values: Mapping[str, Any]) -> StartNeeds:
    """With ``precompiled.required``, and on Inf1, it compiles nothing. vLLM Neuron keeps its graphs in a claim."""
    needs = vllm_start(values)
    is_scaled = value_at(values, "autoscaling.enabled") is True
    is_shared = bool(value_at(values, "compileCache.claim")) and value_at(values, "compileCache.share") is True
    is_mounted = value_at(values, "weights.source") == "mountpoint"
    return replace(
        needs,
        compiles=needs.compiles
        and value_at(values, "engine") in VLLM
        and value_at(values, "precompiled.required") is not True,
        is_filled_before=value_at(values, "precompiled.required") is True,
        keeps_graphs=needs.keeps_graphs or is_shared,
        to_keep_graphs=KEEP_GRAPHS,
        keeps_copy=any(value_at(values, f"weights.nodeCache.{each}") for each in ("claim", "hostPath")),
        read_gib=whole(values, "weights.sizeGib") if is_mounted else 0,
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
    front_ends=SERVING,
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

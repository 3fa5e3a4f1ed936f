"""Checks of workloads that serve requests until they are deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import merged, value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import is_installed
from neuron_cluster.schedulers.kubernetes.workloads.kueue_settings import KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.team_permissions import team_of

TENSOR, CORES = "model.tensorParallelSize", "machine.neuronCores"


def server_findings(context: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """W9252, W9253 and W9266. ``values`` are those that differ from the chart's."""
    complete = merged(context.defaults, values)
    yield from _update_without_server(complete, chart)
    yield from _copies_in_one_engine(complete, chart)
    yield from _unlisted_size(context, complete, chart)


def uncounted_devices(
    cluster: KubernetesPlan, context: WorkloadContext, values: Mapping[str, Any], recipe: Recipe
) -> Iterator[Finding]:
    """W9251, for pods with devices. ``values`` are complete."""
    group, chart = context.group, recipe.chart
    has_devices = recipe.uses_devices and value_at(values, "machine.neuronDevices") != 0
    if value_at(values, "queue.name") or not has_devices:
        return
    namespace = context.options.namespace or default_namespace(cluster)
    if group.is_governed:
        yield _outside_of_quotas(cluster, group.name, namespace, chart)
        return
    if not group.queue or not is_installed(cluster, KUEUE):
        return
    is_judged = team_of(cluster, namespace) is not None
    effect = "no member of the team may create them" if is_judged else "Kueue admits jobs for the devices that they use"
    message = f"its pods have no queue, and the nodes of {group.name} are in the quota of {group.queue}: {effect}"
    hint = f"set --queue {group.queue}, or use a node group without a queue"
    if recipe.is_server:
        hint = (
            f"use a node group without a queue for servers, or set --queue {group.queue}: E9240 and W9254 then compare "
            "the time of a start with the one after which Kueue deletes the pod"
        )
    yield finding("W9251", chart, "queue.name", message, hint)


def _outside_of_quotas(cluster: KubernetesPlan, group: str, namespace: str, chart: str) -> Finding:
    """W9251 with task governance."""
    queue = next((each.queue for each in cluster.namespaces if each.name == namespace and each.is_governed), None)
    effect = "task governance rejects them" if queue else "task governance does not count the devices that they use"
    message = f"its pods have no queue, and the nodes of {group} are in compute quotas: {effect}"
    homes = sorted(cluster.governed_namespaces)
    hint = f"set --queue {queue}" if queue else f"use --namespace {homes[0] if homes else 'of a team'}"
    return finding("W9251", chart, "queue.name", message, hint)


def _update_without_server(values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    key = "autoscaling.minReplicas" if value_at(values, "autoscaling.enabled") is True else "replicas"
    if value_at(values, key) != 1 or value_at(values, "rollout.maxSurge") != 0:
        return
    message = f"{key} is 1 and rollout.maxSurge is 0: an update ends the server before the next one compiles and loads"
    hint = f"set {key}=2, or rollout.maxSurge=1 with free devices for one more replica, or update without traffic"
    yield finding("W9252", chart, key, message, hint)


def _copies_in_one_engine(values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    copies, devices = value_at(values, "model.dataParallelSize"), value_at(values, "machine.neuronDevices")
    if not isinstance(copies, int) or not isinstance(devices, int) or copies == 1:
        return
    message = f"model.dataParallelSize is {copies}, and the throughput of one engine does not grow with it"
    each = f", each with machine.neuronDevices={devices // copies}" if devices % copies == 0 else ""
    hint = f"set model.dataParallelSize=1 and replicas={copies}{each}"
    yield finding("W9253", chart, "model.dataParallelSize", message, hint)


def _unlisted_size(context: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    size, cores, listed = value_at(values, TENSOR), value_at(values, CORES), context.chip.tensor_parallel_sizes
    if not listed or not isinstance(size, int) or not isinstance(cores, int) or size in listed or size > cores:
        return
    doubt = context.chip.doubt_about("tensor_parallel_sizes")
    message = f"AWS lists no tensor parallelism of {size} cores for {context.chip.title}"
    message += f"; in doubt: {doubt}" if doubt else ""
    sizes = ", ".join(str(each) for each in listed if each <= cores)
    yield finding("W9266", chart, TENSOR, message, f"set {TENSOR} to {sizes}")

"""The Kueue queue of a workload, and the namespace that it is installed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.names import EFA, NAMESPACE_LABEL, NEURON, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import labels_of
from local_kubernetes.model.scheduling.queue_flavors import without_flavor
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import is_installed
from neuron_cluster.schedulers.kubernetes.workloads.kueue_settings import KUEUE, kueue_configuration
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe


def queue_name(
    cluster: KubernetesPlan, context: WorkloadContext, recipe: Recipe, values: Mapping[str, Any], *, is_of_team: bool
) -> str:
    """The requested queue, else the group's own where Kueue runs; empty for none. ``values`` are those of the recipe.

    In a namespace of task governance every pod has one, or is rejected.

    Servers have none by themselves, except in a namespace of a team, whose members start devices of a queue by it:
    Kueue deletes pods that are not Ready in time, and a start that compiles is longer (kubernetes-sigs/kueue@ff69552:
    pkg/controller/jobs/pod/pod_controller.go, PodsReady). What requests no devices has none either: queues count
    devices alone, and one whose nodes have a topology would never admit it (the same commit:
    pkg/scheduler/flavorassigner/tas_flavorassigner.go, onlyTASFlavor).
    """
    group, requested = context.group, context.options.queue
    if requested is not None:
        return requested
    if cluster.is_governed:
        return cluster.queue_of(group, context.options.namespace or default_namespace(cluster)) or ""
    if (
        (recipe.is_server and not is_of_team)
        or not recipe.uses_devices
        or value_at(values, "machine.neuronDevices") == 0
    ):
        return ""
    return group.queue or "" if is_installed(cluster, KUEUE) else ""


def queue_findings(
    cluster: KubernetesPlan, group: NodeGroupPlan, requested: str | None, recipe: Recipe
) -> Iterator[Finding]:
    """E9206 for a queue that the environment does not have, or that the group does not serve."""
    if not requested:
        return
    queues = cluster.queues
    if requested not in queues:
        known = f"queues: {', '.join(queues)}; or leave the queue out"
        if cluster.is_governed:
            known = f"queues: {', '.join(queues)}; each is in the namespace of its team"
        elif not queues:
            known = f"leave the queue out, or set queue: {requested} of a group in {cluster.key('node_groups')}"
        suggested = did_you_mean_one_of(requested, queues)
        yield finding("E9206", recipe.chart, "queue.name", f'there is no queue "{requested}"', suggested + known)
    elif group not in queues[requested]:
        serving = ", ".join(each.name for each in queues[requested])
        message = f"queue {requested} belongs to {serving}, not to {group.name}"
        own = [name for name, groups in queues.items() if group in groups]
        hint = f"name --group {queues[requested][0].name}, or {f'queue {own[0]}' if own else 'no queue'}"
        yield finding("E9206", recipe.chart, "queue.name", message, hint)
    if not cluster.is_governed and not is_installed(cluster, KUEUE):
        message = f"queue {requested} is requested, and the environment has no Kueue: the job would never be admitted"
        hint = f"set {cluster.key('addons', KUEUE)}: true, or leave the queue out"
        yield finding("E9206", recipe.chart, "queue.name", message, hint)


def topology_findings(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9267, once: pods without devices in a queue whose node groups all have a network topology."""
    for body in objects:
        queue = labels_of(body).get(QUEUE_NAME_LABEL, "")
        groups = cluster.queues.get(queue, ())
        if not groups or not all(group.has_network_topology for group in groups):
            continue
        for pod in without_flavor(body, namespace, (NEURON, EFA)):
            key = cluster.key("node_groups")
            message = f"{pod.workload} requests no device, and all nodes of queue {queue} have a network topology"
            hint = f"use no queue (--queue ''), or set network_topology: false for a group of it in {key}"
            yield finding("E9267", chart, "queue.name", message, hint)
            return


def default_namespace(cluster: KubernetesPlan) -> str:
    """The namespace of a workload that names none: the first one of the file; with task governance the first one with
    a compute quota."""
    governed = (each.name for each in cluster.job_namespaces if each.is_governed)
    return next(governed, cluster.job_namespaces[0].name)


def pod_security_in(cluster: KubernetesPlan, namespace: str, otherwise: str) -> str:
    """The Pod Security level of a namespace of the environment; ``otherwise`` for one that it does not create."""
    return next((each.pod_security for each in cluster.namespaces if each.name == namespace), otherwise)


def namespace_findings(
    cluster: KubernetesPlan, values: Mapping[str, Any], namespace: str, chart: str
) -> Iterator[Finding]:
    """E9226, E9228: Kueue does not manage the namespace, or admits none of its jobs; W9229: the file lacks it."""
    queue = value_at(values, "queue.name")
    listed, key = [each.name for each in cluster.job_namespaces], cluster.key("namespaces")
    if queue and not _is_managed(cluster, namespace):
        message = f"Kueue does not manage namespace {namespace}: the job would start without queue {queue}"
        yield finding("E9226", chart, "queue.name", message, f"use --namespace {listed[0]}, or another one of yours")
    elif namespace not in listed:
        message = f"{namespace} is not in {key} ({', '.join(listed)})"
        hint = f"use --namespace {listed[0]}, or add `- name: {namespace}` to {key} and deploy"
        if queue:
            message = f"{message}: it has no LocalQueue {queue}, and the ClusterQueue admits no jobs from it"
            yield finding("E9228", chart, "--namespace", message, hint)
        else:
            message = f"{message}: the environment neither creates it nor sets its Pod Security level"
            yield finding("W9229", chart, "--namespace", message, hint)
    elif queue and queue in cluster.queues and not _may_use(cluster, namespace, queue):
        (own,) = {each.queue for each in cluster.job_namespaces if each.name == namespace}
        homes = [each.name for each in cluster.job_namespaces if each.may_use(queue)]
        message = f"{key} gives {namespace} the queue {own} alone: it has no LocalQueue {queue}"
        if cluster.is_governed:
            message = (
                f"{namespace} has {f'the queue {own}' if own else 'no compute quota'}: it has no LocalQueue {queue}"
            )
        elsewhere = f"use --namespace {homes[0]}" if homes else ""
        other = f"use --queue {own} with a group that serves it" if own else ""
        yield finding("E9228", chart, "--namespace", message, ", or ".join(filter(None, (elsewhere, other))))


def _may_use(cluster: KubernetesPlan, namespace: str, queue: str) -> bool:
    return any(each.may_use(queue) for each in cluster.job_namespaces if each.name == namespace)


def _is_managed(cluster: KubernetesPlan, namespace: str) -> bool:
    """Whether the environment's Kueue manages the namespace; true without one."""
    configuration = kueue_configuration(cluster)
    return configuration is None or configuration.managed_jobs_namespace_selector.matches({NAMESPACE_LABEL: namespace})

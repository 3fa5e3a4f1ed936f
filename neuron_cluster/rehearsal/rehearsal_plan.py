"""What is rehearsed, and in which cluster: from a rendered workload and the environment that it is rendered for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.kubernetes.fields import at, items
from neuron_cluster.kubernetes.names import GROUP_LABEL
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.scheduling.node import NodeInfo
from neuron_cluster.kubernetes.scheduling.pod_reader import pods_of
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.node_repair_plan import NodeRepairPlan
from neuron_cluster.rehearsal.cluster.pod_faults import REPAIRED_REASON
from neuron_cluster.rehearsal.cluster.queues import Queue
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.given_files import GivenFile
from neuron_cluster.rehearsal.trainers import Trainer, trainer_of
from neuron_cluster.workloads.kueue_settings import kueue_configuration
from neuron_cluster.workloads.prepared import PreparedWorkload
from neuron_cluster.workloads.startup.budget import Step
from neuron_cluster.workloads.startup.limits import seconds_of

REPLACE = "Replace"
CLUSTER_QUEUE = "ClusterQueue"
DEFAULT_FIRST_BACKOFF, DEFAULT_LONGEST_BACKOFF = 60, 3600
"""Seconds (kubernetes-sigs/kueue@ff69552, apis/config/v1beta2/defaults.go)."""


class Request(Struct, frozen=True, kw_only=True):
    """What the user asks for. ``nodes`` of a workload are at least one for each pod, and the desired size of the group;
    those of a component exactly so many in each group."""

    faults: tuple[Fault, ...]
    nodes: int | None
    steps: int
    ranks: int
    compile_seconds: int
    limit_seconds: float
    seconds: Mapping[str, float]
    files: tuple[GivenFile, ...] = ()


class NodeGroup(Struct, frozen=True, kw_only=True):
    """``node`` is one of the group, ``hourly_usd`` its price.

    ``ultraserver_sizes`` are the numbers of nodes that work together inside an UltraServer; empty for other nodes.
    """

    node: NodeInfo
    nodes: int
    hourly_usd: float | None
    ultraserver_sizes: tuple[int, ...] = ()


class RehearsalPlan(Struct, frozen=True, kw_only=True):
    """A rehearsal that can be run. ``groups`` are that of the workload, and those that its other pods select."""

    objects: tuple[Mapping[str, Any], ...]
    namespace: str
    queue: Queue | None
    groups: tuple[NodeGroup, ...]
    trains: bool
    repair_seconds: float | None
    """From a device error until node repair replaces the node; None where it does not."""
    faults: tuple[Fault, ...]
    steps: int
    ranks: int
    compile_seconds: int
    limit_seconds: float
    seconds: Mapping[str, float]
    trainer: Trainer | None
    files: tuple[GivenFile, ...] = ()


def rehearsal_plan(prepared: PreparedWorkload, request: Request) -> RehearsalPlan:
    """The nodes of the workload's group as the environment makes them, and its queue with the quota of these nodes."""
    chosen = prepared.workload.chosen
    evaluation = chosen.evaluation
    node = chosen.node
    objects = tuple(body for body in prepared.workload.objects if not KubernetesObject(body, "").hooks)
    pods = pods_of(objects, namespace=prepared.namespace)
    elsewhere = {pod.node_selector.get(GROUP_LABEL, node.group) for pod in pods} - {node.group}
    here = sum(pod.replicas or 0 for pod in pods if pod.node_selector.get(GROUP_LABEL, node.group) == node.group)
    nodes = max(request.nodes or 1, node.desired_size, min(here, node.max_size or here))
    others = (
        NodeGroup(node=each, nodes=max(each.desired_size, 1), hourly_usd=_hourly_usd(prepared.cluster, each.group))
        for each in evaluation.nodes
        if each.group in elsewhere
    )
    return RehearsalPlan(
        objects=objects,
        namespace=prepared.namespace,
        queue=_queue(prepared.cluster, str(value_at(chosen.values, "queue.name") or ""), node, nodes),
        groups=(
            NodeGroup(
                node=node,
                nodes=nodes,
                hourly_usd=chosen.group.machine.hourly_usd,
                ultraserver_sizes=ultraserver_sizes_of(chosen.group),
            ),
            *others,
        ),
        trains=value_at(chosen.values, "trainer.program") is not None,
        repair_seconds=repair_seconds_of(chosen.group.node_repair),
        faults=request.faults,
        steps=request.steps,
        ranks=request.ranks,
        compile_seconds=request.compile_seconds,
        limit_seconds=request.limit_seconds,
        seconds={**_of_budget(prepared), **request.seconds},
        trainer=trainer_of(value_at(chosen.values, "trainer.program")),
        files=request.files,
    )


def _of_budget(prepared: PreparedWorkload) -> Mapping[str, float]:
    """The pull of an image as the budget of the start has it: it depends on the node group."""
    return {"image_pull": prepared.workload.startup.cold_seconds([Step.IMAGE_PULL])}


def _hourly_usd(cluster: KubernetesPlan, group: str) -> float | None:
    return next((each.machine.hourly_usd for each in cluster.node_groups if each.name == group), None)


def _queue(cluster: KubernetesPlan, name: str, node: NodeInfo, nodes: int) -> Queue | None:
    """None for a workload without a queue. The file's quota follows ``count.desired``: here that is ``nodes``."""
    configuration = kueue_configuration(cluster)
    covered = _covered(cluster, name)
    waits = configuration.wait_for_pods_ready if configuration is not None else None
    if not waits or not covered:
        return None
    strategy = waits.requeuing_strategy
    first, longest = (
        getattr(strategy, field, default) or default
        for field, default in (
            ("backoff_base_seconds", DEFAULT_FIRST_BACKOFF),
            ("backoff_max_seconds", DEFAULT_LONGEST_BACKOFF),
        )
    )
    return Queue(
        name=name,
        quota={resource: nodes * node.count_of(resource) for resource in covered},
        pods_ready=seconds_of(waits.timeout),
        recovery=seconds_of(waits.recovery_timeout or waits.timeout),
        first_backoff=first,
        longest_backoff=longest,
        has_topology=all(group.has_network_topology for group in cluster.queues[name]),
    )


def ultraserver_sizes_of(group: NodeGroupPlan) -> tuple[int, ...]:
    row = load_catalog().instance_type(group.machine.instance_type)
    return row.ultraserver.sizes if row is not None and row.ultraserver is not None else ()


def repair_seconds_of(repair: NodeRepairPlan | None) -> float | None:
    overrides = repair.overrides if repair is not None else ()
    found = (each for each in overrides if each.reason == REPAIRED_REASON and each.action == REPLACE)
    return next((each.wait_minutes * 60.0 for each in found), None)


def _covered(cluster: KubernetesPlan, name: str) -> list[str]:
    """The resources that the ClusterQueue of this name counts; empty without one."""
    objects = (body for manifest in cluster.manifests for body in manifest.objects)
    queues = (body for body in objects if body["kind"] == CLUSTER_QUEUE and at(body, "metadata", "name") == name)
    return [
        str(resource)
        for queue in queues
        for group in items(at(queue, "spec", "resourceGroups"))
        for resource in items(at(group, "coveredResources"))
    ]

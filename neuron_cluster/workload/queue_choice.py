"""Which Kueue queue a workload waits in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings import Finding
from neuron_cluster.kube.kubernetes_yaml import yaml_document
from neuron_cluster.kubernetes_names import NAMESPACE_LABEL, QUEUE_NAMESPACE
from neuron_cluster.near_names import did_you_mean, near_names
from neuron_cluster.plan.cluster_plan import EksPlan, NodeGroupPlan
from neuron_cluster.software.values.kueue_configuration import KueueConfiguration
from neuron_cluster.workload.recipe import Recipe
from neuron_cluster.workload.refusal import finding
from neuron_cluster.workload.software_there import has_software

KUEUE = "kueue"
CONFIGURATION = "managerConfig.controllerManagerConfigYaml"
"""Kueue's switch, and the value of its chart that says in which namespaces it minds jobs."""


def queue_name(eks: EksPlan, group: NodeGroupPlan, wished: str | None) -> str:
    """The wished queue, else the group's own where Kueue runs; empty for none."""
    if wished is not None:
        return wished
    return group.queue or "" if has_software(eks, KUEUE) else ""


def queue_findings(eks: EksPlan, group: NodeGroupPlan, wished: str | None, recipe: Recipe) -> Iterator[Finding]:
    """Why the wished queue cannot be."""
    if not wished:
        return
    queues = eks.queues
    if wished not in queues:
        known = f"queues: {', '.join(queues)}" if queues else "no node group has a queue: set eks.node_groups[].queue"
        said = did_you_mean(near_names(wished, queues))
        yield finding("E9206", recipe.chart, "queue.name", f'there is no queue "{wished}"', said + known)
    elif group not in queues[wished]:
        serving = ", ".join(each.name for each in queues[wished])
        message = f"queue {wished} is served by {serving}, not by {group.name}"
        yield finding("E9206", recipe.chart, "queue.name", message, "name another queue, or another --group")
    if not has_software(eks, KUEUE):
        message = f"queue {wished} is asked for, and the environment has no Kueue: nobody would start the job"
        yield finding(
            "E9206", recipe.chart, "queue.name", message, "set eks.addons.kueue: true, or leave the queue out"
        )


def namespace_findings(eks: EksPlan, values: Mapping[str, Any], namespace: str, chart: str) -> Iterator[Finding]:
    """An error where Kueue minds no jobs, a warning where the queue may have no LocalQueue in the namespace."""
    queue = value_at(values, "queue.name")
    if queue and not _is_minded(eks, namespace):
        message = f"Kueue minds no jobs in {namespace}, so queue {queue} would not hold the job back"
        yield finding(
            "E9226", chart, "queue.name", message, f"use --namespace {QUEUE_NAMESPACE}, or another of your own"
        )
    elif queue and namespace != QUEUE_NAMESPACE:
        message = f"the toolkit makes the LocalQueue {queue} in {QUEUE_NAMESPACE}, not in {namespace}"
        hint = f"make one there for the ClusterQueue {queue}, or use --namespace {QUEUE_NAMESPACE}"
        yield finding("W9217", chart, "queue.name", message, hint)


def _is_minded(eks: EksPlan, namespace: str) -> bool:
    """Whether the environment's Kueue, if it has one, minds jobs there; what is not judged here is taken to be so."""
    texts = (value_at(chart.values, CONFIGURATION) for chart in eks.charts if chart.component == KUEUE)
    for text in filter(None, texts):
        selector = msgspec.convert(yaml_document(text), KueueConfiguration).managed_jobs_namespace_selector
        return selector.matches({NAMESPACE_LABEL: namespace})
    return True

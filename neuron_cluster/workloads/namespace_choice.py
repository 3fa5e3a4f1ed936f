"""The namespace that a workload is installed in: its queues, and its Pod Security level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.names import NAMESPACE_LABEL
from neuron_cluster.kubernetes.yaml_reader import yaml_document
from neuron_cluster.plan.cluster_plan import EksPlan
from neuron_cluster.software.values.kueue_configuration import KueueConfiguration
from neuron_cluster.workloads.refusal import finding

KUEUE = "kueue"
CONFIGURATION = "managerConfig.controllerManagerConfigYaml"
"""Kueue's switch, and the value of its chart that says in which namespaces it minds jobs."""


def usual_namespace(eks: EksPlan) -> str:
    """Where a workload goes that names no namespace: the first one of the file."""
    return eks.job_namespaces[0].name


def pod_security_in(eks: EksPlan, namespace: str, otherwise: str) -> str:
    """The Pod Security level of a namespace of the environment; ``otherwise`` for one that it does not make."""
    return next((each.pod_security for each in eks.namespaces if each.name == namespace), otherwise)


def namespace_findings(eks: EksPlan, values: Mapping[str, Any], namespace: str, chart: str) -> Iterator[Finding]:
    """Errors where the queue holds no jobs back or admits none; a warning where the file lacks the namespace."""
    queue = value_at(values, "queue.name")
    listed = [each.name for each in eks.job_namespaces]
    if queue and not _is_minded(eks, namespace):
        message = f"Kueue minds no jobs in {namespace}, so queue {queue} would not hold the job back"
        yield finding("E9226", chart, "queue.name", message, f"use --namespace {listed[0]}, or another of your own")
    elif namespace not in listed:
        message = f"{namespace} is not in eks.namespaces ({', '.join(listed)})"
        hint = f"use --namespace {listed[0]}, or add `- name: {namespace}` to eks.namespaces and deploy"
        if queue:
            message = f"{message}: it has no LocalQueue {queue}, and the ClusterQueue admits no jobs from it"
            yield finding("E9228", chart, "--namespace", message, hint)
        else:
            message = f"{message}: the environment neither makes it nor sets its Pod Security level"
            yield finding("W9229", chart, "--namespace", message, hint)
    elif queue and queue in eks.queues and not _may_use(eks, namespace, queue):
        (own,) = {each.queue for each in eks.job_namespaces if each.name == namespace}
        homes = [each.name for each in eks.job_namespaces if each.may_use(queue)]
        message = f"eks.namespaces gives {namespace} the queue {own} alone: it has no LocalQueue {queue}"
        elsewhere = f"use --namespace {homes[0]}, or " if homes else ""
        yield finding(
            "E9228", chart, "--namespace", message, f"{elsewhere}use --queue {own} with a group that serves it"
        )


def _may_use(eks: EksPlan, namespace: str, queue: str) -> bool:
    return any(each.may_use(queue) for each in eks.job_namespaces if each.name == namespace)


def _is_minded(eks: EksPlan, namespace: str) -> bool:
    """Whether the environment's Kueue, if it has one, minds jobs there; what is not judged here is taken to be so."""
    texts = (value_at(chart.values, CONFIGURATION) for chart in eks.charts if chart.component == KUEUE)
    for text in filter(None, texts):
        selector = msgspec.convert(yaml_document(text), KueueConfiguration).managed_jobs_namespace_selector
        return selector.matches({NAMESPACE_LABEL: namespace})
    return True

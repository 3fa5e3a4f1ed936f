"""Alerts about the workloads of the cluster and its Neuron nodes. Those of metrics are in charts/neuron-monitor.

kube-prometheus-stack has alerts on nodes, pods that are not ready, and volumes that fill up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext

COMPONENT, CHART, NAMESPACE = "kube_prometheus_stack", "kube-prometheus-stack", "monitoring"
JOB_SET_RESTARTS = "kube_jobset_restarts"
JOB_SET_STATE = "kube_jobset_terminal_state"
"""From the status of JobSets, as ``job_set_metrics`` has kube-state-metrics publish them."""


def workload_alerts(context: ComponentContext) -> ManifestPlan:
    """One PrometheusRule."""
    groups = [{"name": "workloads", "rules": list(_rules(context))}]
    body = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "neuron-cluster-workloads", "namespace": NAMESPACE},
        "spec": {"groups": groups},
    }
    path = (*context.addons_path, COMPONENT)
    return ManifestPlan(path, "PrometheusRule neuron-cluster-workloads", (body,), needs=(CHART,), component=COMPONENT)


def job_set_metrics() -> Mapping[str, Any]:
    """Values of ``kube-state-metrics``: JobSet's controller counts no restarts, and its counter of failures begins
    with a series of 1, of which ``increase`` is 0 (kubernetes-sigs/jobset@08dfbdf, pkg/metrics/metrics.go).

    Keys: kubernetes/kube-state-metrics, docs/metrics/extend/customresourcestate-metrics.md. A JobSet that still runs
    has no terminal state and no series (@0195b25, pkg/customresourcestate/registry_factory.go).
    """
    restarts = {
        "name": "restarts",
        "help": "Restarts of a JobSet",
        "each": {"type": "Gauge", "gauge": {"path": ["status", "restarts"], "nilIsZero": True}},
    }
    state = {
        "name": "terminal_state",
        "help": "Terminal state of a JobSet",
        "each": {
            "type": "StateSet",
            "stateSet": {"path": ["status", "terminalState"], "labelName": "state", "list": ["Completed", "Failed"]},
        },
    }
    resource = {
        "groupVersionKind": {"group": "jobset.x-k8s.io", "version": "v1alpha2", "kind": "JobSet"},
        "metricNamePrefix": "kube_jobset",
        "labelsFromPath": {"namespace": ["metadata", "namespace"], "jobset": ["metadata", "name"]},
        "metrics": [restarts, state],
    }
    readable = {"apiGroups": ["jobset.x-k8s.io"], "resources": ["jobsets"], "verbs": ["list", "watch"]}
    return {
        "customResourceState": {
            "enabled": True,
            "config": {"kind": "CustomResourceStateMetrics", "spec": {"resources": [resource]}},
        },
        "rbac": {"extraRules": [readable]},
    }


def _rules(context: ComponentContext) -> Iterator[Mapping[str, Any]]:
    yield _alert(
        "PodUnschedulable",
        "max by (namespace, pod) (kube_pod_status_unschedulable) == 1",
        "15m",
        "Pod {{ $labels.namespace }}/{{ $labels.pod }} fits no node",
        "kubectl describe pod has the reason. Pods that wait in a queue are not counted.",
    )
    yield _unhealthy_nodes()
    yield from _servers()
    if context.has("kueue"):
        yield from _queues()
    if context.has("jobset"):
        yield from _job_sets()


def _unhealthy_nodes() -> Mapping[str, Any]:
    """From the kernel log: a job ends with its device, often before neuron-monitor has counted the error.

    The condition of Neuron's detector is True for an error (aws-neuron/aws-neuron-sdk@81ce03a,
    src/k8/neuron-problem-detector), that of the node monitoring agent False (aws/eks-node-monitoring-agent@51af549,
    docs/node-health-issues.adoc).
    """
    detector = 'kube_node_status_condition{condition="NeuronHealth", status="true"} == 1'
    agent = 'kube_node_status_condition{condition="AcceleratedHardwareReady", status="false"} == 1'
    return _alert(
        "NeuronNodeUnhealthy",
        f"max by (node) ({detector} or {agent})",
        "0m",
        "A Neuron device of {{ $labels.node }} has failed",
        "Results of jobs on this node may be wrong. Node repair replaces it where that is on; else drain it.",
        severity="critical",
    )


def _servers() -> Iterator[Mapping[str, Any]]:
    """Names: vllm-project/vllm, docs/usage/metrics.md; without a server there are no series."""
    yield _alert(
        "ServerHangs",
        "sum by (namespace, pod) (vllm:num_requests_running) > 0 "
        "and sum by (namespace, pod) (rate(vllm:generation_tokens_total[5m])) == 0",
        "5m",
        "Server {{ $labels.namespace }}/{{ $labels.pod }} has requests and generates no tokens",
        "A device or a collective hangs while /health answers. Look at its log, then delete the pod.",
        severity="critical",
    )
    yield _alert(
        "ServerQueueLong",
        "sum by (namespace, model_name) (vllm:num_requests_waiting) "
        "> sum by (namespace, model_name) (vllm:num_requests_running)",
        "15m",
        "More requests wait for {{ $labels.model_name }} than are served",
        "Add replicas, or raise the maximum of its autoscaler.",
    )


def _queues() -> Iterator[Mapping[str, Any]]:
    """Names: kubernetes-sigs/kueue@ff69552, site/content/en/docs/reference/metrics.md.

    The counter of a queue begins with its first eviction, which ``increase`` does not count: the difference to its
    value of twelve hours ago does, and the counter itself where it was not there yet or has begun again.
    """
    evicted = 'kueue_evicted_workloads_total{reason="PodsReadyTimeout"}'
    yield _alert(
        "KueueDown",
        'absent(up{namespace="kueue-system"} == 1)',
        "5m",
        "No pod of Kueue answers",
        "No pod starts in the namespaces of jobs: its webhook rejects them. Look at the pods of kueue-system.",
        severity="critical",
    )
    yield _alert(
        "KueueEvictsAgain",
        f"sum by (cluster_queue) ({evicted} - {evicted} offset 12h >= 0 or {evicted}) > 2",
        "0m",
        "Jobs of queue {{ $labels.cluster_queue }} were stopped more than twice because their pods were not ready",
        "Look at the events of their pods: an image, a claim or a node. A start that takes longer needs more "
        "pods_ready_minutes.",
    )


def _job_sets() -> Iterator[Mapping[str, Any]]:
    """Both are of the state of JobSets that exist."""
    yield _alert(
        "JobSetRestarts",
        f"delta({JOB_SET_RESTARTS}[1h]) >= 3",
        "0m",
        "JobSet {{ $labels.namespace }}/{{ $labels.jobset }} restarted three times within an hour",
        "Each restart begins at the last checkpoint. Look at the log of the pod that ended first, and at its node.",
    )
    yield _alert(
        "JobSetFailed",
        f'{JOB_SET_STATE}{{state="Failed"}} == 1',
        "0m",
        "JobSet {{ $labels.namespace }}/{{ $labels.jobset }} failed",
        "It does not start again by itself. The alert ends when the JobSet is deleted.",
    )


def _alert(
    name: str, expression: str, duration: str, summary: str, description: str, *, severity: str = "warning"
) -> Mapping[str, Any]:
    return {
        "alert": name,
        "expr": expression,
        "for": duration,
        "labels": {"severity": severity},
        "annotations": {"summary": summary, "description": description},
    }

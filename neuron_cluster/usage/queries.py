"""Queries of Prometheus: each value is the average of the hour before it.

Source of the names: kubernetes-sigs/kueue@ff69552 (pkg/metrics), kubernetes/kube-state-metrics (docs/metrics),
aws-neuron/aws-neuron-sdk: tools/neuron-sys-tools/neuron-monitor-user-guide.rst.
"""

from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.names import NEURON, NEURON_CORE

RESERVED, USED, CAPACITY = "reserved", "used", "capacity"

SANITISED, CORES = (name.replace(".", "_").replace("/", "_") for name in (NEURON, NEURON_CORE))
"""The resources as kube-state-metrics writes them."""
_REQUESTS, _CAPACITY = "kube_pod_container_resource_requests", "kube_node_status_capacity"
REQUESTED = (
    f'sum by (node, namespace) (({_REQUESTS}{{resource="{SANITISED}"}} '
    # Cores are a fraction of the devices of their node, in the proportion in which the node publishes both.
    f'or {_REQUESTS}{{resource="{CORES}"}} * on (node) group_left () '
    f'(max by (node) ({_CAPACITY}{{resource="{SANITISED}"}}) / max by (node) ({_CAPACITY}{{resource="{CORES}"}}))) '
    '* on (namespace, pod) group_left () (kube_pod_status_phase{phase="Running"} == 1))'
)
"""Devices of running pods, requested whole or by cores."""
QUERIES: Mapping[str, str] = {
    # The replicas of Kueue report the same series: the leader's value is the highest.
    RESERVED: "max by (cluster_queue, flavor) "
    f'(avg_over_time(kueue_cluster_queue_resource_usage{{resource="{NEURON}"}}[1h]))',
    # Cores of a node have no namespace: each namespace has the average of the nodes on which it has devices.
    USED: f"avg_over_time((sum by (namespace) ({REQUESTED} * on (node) group_left () "
    "avg by (node) (neuroncore_utilization_ratio)))[1h:5m])",
    CAPACITY: f'avg_over_time(sum({_CAPACITY}{{resource="{SANITISED}"}})[1h:5m])',
}

"""Queries of Prometheus: each value is the average of the hour before it.

Source of the names: kubernetes-sigs/kueue@ff69552 (pkg/metrics), kubernetes/kube-state-metrics (docs/metrics),
aws-neuron/aws-neuron-sdk: tools/neuron-sys-tools/neuron-monitor-user-guide.rst.
"""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.kubernetes.names import NEURON

RESERVED, USED, CAPACITY = "reserved", "used", "capacity"

SANITISED = NEURON.replace(".", "_").replace("/", "_")
"""The resource as kube-state-metrics writes it."""
REQUESTED = (
    f'sum by (node, namespace) (kube_pod_container_resource_requests{{resource="{SANITISED}"}} '
    '* on (namespace, pod) group_left () (kube_pod_status_phase{phase="Running"} == 1))'
)
QUERIES: Mapping[str, str] = {
    # The replicas of Kueue report the same series: the leader's value is the highest.
    RESERVED: "max by (cluster_queue, flavor) "
    f'(avg_over_time(kueue_cluster_queue_resource_usage{{resource="{NEURON}"}}[1h]))',
    # Cores of a node have no namespace: each namespace has the average of the nodes on which it has devices.
    USED: f"avg_over_time((sum by (namespace) ({REQUESTED} * on (node) group_left () "
    "avg by (node) (neuroncore_utilization_ratio)))[1h:5m])",
    CAPACITY: f'avg_over_time(sum(kube_node_status_capacity{{resource="{SANITISED}"}})[1h:5m])',
}

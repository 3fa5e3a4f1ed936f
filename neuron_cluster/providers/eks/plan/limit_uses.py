"""How much of the limits of EKS and Kubernetes a cluster uses at its largest sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.limit_use import Use

if TYPE_CHECKING:
    from neuron_cluster.providers.eks.plan.eks_plan import EksPlan


def eks_limit_uses(cluster: EksPlan) -> Iterator[Use]:
    groups = cluster.managed_groups
    list_path = (*cluster.path, "node_groups")
    if groups:
        largest = max(groups, key=lambda group: group.max)
        path = (*largest.path, "count", "max")
        yield Use("nodes_per_managed_node_group", path, f"group {largest.name}", largest.max, own_rule=True)
    yield Use("managed_node_groups_per_cluster", list_path, "the cluster", len(groups))
    yield from _of_nodes(cluster)
    cidrs = len(cluster.public_access_cidrs)
    yield Use("eks_public_access_cidrs", (*cluster.path, "endpoint", "public_access_cidrs"), "the endpoint", cidrs)
    roles = sum(len(addon.pod_roles) for addon in cluster.addons) + len(cluster.workload_roles)
    yield Use("eks_pod_identity_associations", (*cluster.path, "addons"), "the add-ons", roles)
    yield Use("eks_clusters_per_region", cluster.path, "this cluster", 1)
    yield Use("auto_scaling_groups_per_region", list_path, "the node groups", len(groups))


def _of_nodes(cluster: EksPlan) -> Iterator[Use]:
    groups = cluster.node_groups
    list_path = (*cluster.path, "node_groups")
    nodes = sum(group.max for group in groups)
    pods = sum(group.max * group.node_addresses.pods for group in groups if group.node_addresses is not None)
    unknown = any(group.node_addresses is None for group in groups)
    yield Use("kubernetes_nodes_per_cluster", list_path, "the cluster", nodes)
    yield Use("eks_nodes_before_planning", list_path, "the cluster", nodes)
    yield Use("kubernetes_pods_per_cluster", list_path, "the cluster", pods, is_least=unknown)
    served = Counter(group.queue for group in groups if group.queue is not None)
    if served:
        queue, number = served.most_common(1)[0]
        yield Use("kueue_flavors_per_resource_group", list_path, f"the queue {queue}", number)

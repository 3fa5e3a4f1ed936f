"""The parts of a cluster that call AWS services from inside the VPC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.schedulers.kubernetes.components import enabled_components

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

NODE_RECOVERY, ALERT_TOPIC = "node_recovery", "alert_topic"
"""Parts of components that a value or a key of their own turns on."""


def endpoint_users(environment: ResolvedEnvironment, catalog: Catalog) -> tuple[str, ...]:
    """Nodes, enabled components and what is on of their parts; none without a cluster."""
    eks, observability = environment.config.section(Eks), environment.config.observability
    if eks is None:
        return ()
    components = enabled_components(environment, catalog)
    values = eks.chart_values.get("neuron-helm-chart", {})
    recovers = "neuron_node_problem_detector" in components and value_at(values, "npd.nodeRecovery.enabled") is True
    has_topic = observability is not None and observability.alarm_topic_arn is not None
    parts = {NODE_RECOVERY: recovers, ALERT_TOPIC: has_topic and "kube_prometheus_stack" in components}
    return ("nodes", *components, *(name for name, is_on in parts.items() if is_on))

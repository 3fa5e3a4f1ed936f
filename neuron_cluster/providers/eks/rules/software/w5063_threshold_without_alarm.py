from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.config.observability import MetricsStore
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ThresholdWithoutAlarm(Rule):
    """An alarm threshold belongs to an existing alarm (`observability.alarms`).

    EFA alarms require a node group with EFA, those of Lustre a file system, and the one of its exports `sync`. Some
    alarms exist only in CloudWatch.

    Without this check AWS reports no error. The value has no effect, and no alarm notifies.
    """

    id = "W5063"
    source = "the design of this toolkit: neuron_cluster/catalog/data/neuron_alarms.yaml"
    proposes = ("core_utilization_below_percent", "efa_unresponsive_remote_events")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        eks = config.section(Eks)
        if config.observability is None or eks is None:
            return
        for row in context.catalog.neuron_alarms:
            reason = _why_not(row, context.environment, context.catalog)
            if getattr(config.observability.alarms, row.name) is not None and reason:
                yield Violation(
                    ("observability", "alarms", row.name), f"{row.name} is set, but {reason}", f"remove {row.name}"
                )


def _why_not(row: NeuronAlarm, environment: ResolvedEnvironment, catalog: Catalog) -> str:
    """Why the alarm does not exist; empty where it does."""
    config = environment.config
    eks = config.section(Eks)
    if config.observability is None or eks is None:
        return ""
    if row.chart_value is None and config.observability.metrics is MetricsStore.PROMETHEUS:
        return "Prometheus has no such alert"
    metric = next(each for each in catalog.neuron_metrics if each.name == row.metric)
    if metric.is_of_efa and not any(group.has_efa for group in node_groups(environment)):
        return "no node group has EFA"
    lustre = config.storage.lustre if config.storage is not None else None
    if metric.is_of_lustre and lustre is None:
        return "there is no storage.lustre"
    if metric.panel == "lustre_export" and lustre is not None and lustre.sync is None:
        return "storage.lustre has no sync"
    return ""

"""A topic for alarms of another store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.observability import MetricsStore
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class TopicThatNothingTells(ConfigRule):
    """`observability.alarm_topic_arn` goes with metrics in CloudWatch.

    Alerts of Prometheus are told by its Alertmanager, which the environment file does not set up.

    Without this check AWS reports no error. The topic is there to be read, and nobody is ever told.
    """

    id = "W5065"
    source = "the design of this toolkit: neuron_cluster/catalog/data/neuron_alarms.yaml"
    proposes = ("alarm_topic_arn", "chart_values", "eks")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        wish = config.observability
        if wish is not None and wish.alarm_topic_arn is not None and wish.metrics is MetricsStore.PROMETHEUS:
            yield Violation(
                ("observability", "alarm_topic_arn"),
                "alarm_topic_arn is given, but with metrics prometheus nothing tells it",
                "set metrics: cloudwatch, or remove alarm_topic_arn and give Alertmanager a receiver in "
                "eks.chart_values.kube-prometheus-stack",
            )

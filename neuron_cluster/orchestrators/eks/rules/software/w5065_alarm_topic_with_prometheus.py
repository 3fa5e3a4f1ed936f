"""SNS topic of alarms without CloudWatch metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.observability import MetricsStore
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class AlarmTopicWithPrometheus(ConfigRule):
    """An SNS topic is set only with metrics in CloudWatch (`observability.alarm_topic_arn`).

    Alertmanager of Prometheus sends its alerts, and the environment file does not configure it.

    Without this check AWS reports no error. The topic exists, but no alarm notifies it.
    """

    id = "W5065"
    source = "the design of this toolkit: neuron_cluster/catalog/data/neuron_alarms.yaml"
    proposes = ("alarm_topic_arn", "chart_values", "eks")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        given = config.observability
        if given is not None and given.alarm_topic_arn is not None and given.metrics is MetricsStore.PROMETHEUS:
            yield Violation(
                ("observability", "alarm_topic_arn"),
                "alarm_topic_arn is set, but with metrics: prometheus no alarm notifies it",
                "set metrics: cloudwatch, or remove alarm_topic_arn and configure an Alertmanager receiver in "
                "eks.chart_values.kube-prometheus-stack",
            )

"""Where Alertmanager sends alerts: the SNS topic of ``observability.alarm_topic_arn``."""

from __future__ import annotations

from typing import Any

from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import PodRolePlan

NAMESPACE, SERVICE_ACCOUNT = "monitoring", "kube-prometheus-stack-alertmanager"
NOBODY = "null"
"""Receiver of the chart's default configuration, whose lists these replace as a whole."""
SILENT = ('alertname =~ "Watchdog|InfoInhibitor"', 'severity =~ "info|none"')
"""Watchdog always fires, InfoInhibitor and alerts of severity info inform other alerts
(prometheus-community/helm-charts@cf408a2, charts/kube-prometheus-stack/values.yaml: alertmanager.config)."""


def sns_configuration(topic_arn: str) -> dict[str, Any]:
    """Alertmanager's configuration: alerts that fire and that end, in the Region of the topic
    (https://prometheus.io/docs/alerting/latest/configuration/#sns_config)."""
    region = topic_arn.split(":")[3]
    sns = {"topic_arn": topic_arn, "sigv4": {"region": region}, "send_resolved": True}
    return {
        "route": {
            "receiver": "sns",
            "routes": [{"receiver": NOBODY, "matchers": [matcher]} for matcher in SILENT],
        },
        "receivers": [{"name": NOBODY}, {"name": "sns", "sns_configs": [sns]}],
    }


def publisher_role(topic_arn: str) -> PodRolePlan:
    """Alertmanager may publish to the topic, and nothing else."""
    statement = PolicyStatement(actions=("sns:Publish",), resources=(topic_arn,))
    return PodRolePlan(NAMESPACE, SERVICE_ACCOUNT, statements=(statement,))

"""The observability stack: a CloudWatch dashboard and alarms for Neuron devices, EFA and Lustre. It holds nothing."""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import OBSERVABILITY, STORAGE
from neuron_cluster.plan.observability_plan import AlarmPlan, MetricPlan, ObservabilityPlan, WidgetPlan
from stacks.constructs.acknowledgement import acknowledge, in_nist
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack

COLUMNS, HEIGHT, ALARMS_HEIGHT = 24, 6, 3
"""A dashboard's width is 24; two widgets are side by side."""
PERIOD_SECONDS = 60
BY_NODE = ("ClusterName", "InstanceId", "NodeName")
"""Dimensions under which the CloudWatch agent publishes the same metrics node by node (its metric declarations)."""


def build(context: StackContext) -> ObservabilityStack:
    plan = context.plan
    storage = context.stack_if_planned(STORAGE, StorageStack)
    lustre = storage.lustre_names if storage is not None else None
    file_system_id = lustre[0] if lustre is not None else None
    return ObservabilityStack(context.scope, plan, planned(plan.observability), file_system_id)


class ObservabilityStack(EnvironmentStack):
    """Names the cluster by its name, so that it is independent of the cluster's resources."""

    def __init__(
        self, scope: Construct, plan: ClusterPlan, observability: ObservabilityPlan, file_system_id: str | None
    ) -> None:
        super().__init__(scope, OBSERVABILITY.stack_key, plan)
        self._environment = plan
        self._file_system_id = file_system_id
        arns = [self._alarm(alarm, observability.alarm_topic_arn) for alarm in observability.alarms]
        cloudwatch.CfnDashboard(
            self,
            "Dashboard",
            dashboard_name=f"{plan.name}-neuron",
            dashboard_body=json.dumps(self._body(observability, arns, plan.region), sort_keys=True),
        )

    def _alarm(self, alarm: AlarmPlan, topic_arn: str | None) -> str:
        """Creates the alarm; returns its ARN, which follows from its name."""
        plan, name = self._environment, f"{self._environment.name}-{alarm.name.replace('_', '-')}"
        topics = [topic_arn] if topic_arn is not None else None
        alarm_resource = cloudwatch.CfnAlarm(
            self,
            f"Alarm {alarm.name}",
            alarm_name=name,
            alarm_description=alarm.description,
            namespace=alarm.metric.namespace,
            metric_name=alarm.metric.name,
            dimensions=[
                cloudwatch.CfnAlarm.DimensionProperty(name=dimension, value=value)
                for dimension, value in self._dimensions(alarm.metric).items()
            ],
            statistic=alarm.metric.statistic,
            comparison_operator=alarm.comparison,
            threshold=alarm.threshold,
            period=alarm.period_seconds,
            evaluation_periods=alarm.evaluation_periods,
            treat_missing_data=alarm.missing_data,
            alarm_actions=topics,
            ok_actions=topics,
        )
        if topic_arn is None:
            acknowledge(
                alarm_resource,
                in_nist(
                    "CloudWatchAlarmAction", "observability.alarm_topic_arn is not set: the dashboard shows the alarm."
                ),
            )
        return f"arn:{plan.partition}:cloudwatch:{plan.region}:{plan.account}:alarm:{name}"

    def _dimensions(self, metric: MetricPlan) -> dict[str, str]:
        file_system = {"FileSystemId": planned(self._file_system_id)} if metric.is_of_file_system else {}
        return {**file_system, **metric.dimensions}

    def _body(self, observability: ObservabilityPlan, alarm_arns: list[str], region: str) -> dict[str, Any]:
        """https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html"""
        widgets: list[dict[str, Any]] = []
        if alarm_arns:
            properties = {"title": "Alarms", "alarms": alarm_arns}
            widgets.append(_placed("alarm", properties, x=0, y=0, width=COLUMNS, height=ALARMS_HEIGHT))
        for row, widget in enumerate(observability.widgets):
            y = ALARMS_HEIGHT + row * HEIGHT
            graphs = [_graph(widget.title, widget, [self._whole(metric) for metric in widget.metrics], region)]
            if widget.has_nodes:
                graphs.append(_graph(f"{widget.title}, by node", widget, [_by_node(widget.metrics[0])], region))
            width = COLUMNS // len(graphs)
            for column, properties in enumerate(graphs):
                widgets.append(_placed("metric", properties, x=column * width, y=y, width=width, height=HEIGHT))
        return {"widgets": widgets}

    def _whole(self, metric: MetricPlan) -> list[Any]:
        dimensions = [part for pair in self._dimensions(metric).items() for part in pair]
        return [metric.namespace, metric.name, *dimensions, {"label": metric.title, "stat": metric.statistic}]


def _placed(kind: str, properties: dict[str, Any], *, x: int, y: int, width: int, height: int) -> dict[str, Any]:
    return {"type": kind, "x": x, "y": y, "width": width, "height": height, "properties": properties}


def _graph(title: str, widget: WidgetPlan, metrics: list[list[Any]], region: str) -> dict[str, Any]:
    return {
        "title": title,
        "view": "timeSeries",
        "stacked": False,
        "region": region,
        "period": PERIOD_SECONDS,
        "yAxis": {"left": {"label": widget.unit, "min": 0, "showUnits": False}},
        "metrics": metrics,
    }


def _by_node(metric: MetricPlan) -> list[Any]:
    """Nodes change: the dashboard looks for them each time that it is opened."""
    held = " ".join(f'{name}="{value}"' for name, value in metric.dimensions.items())
    schema = ",".join((metric.namespace, *BY_NODE))
    search = f"SEARCH('{{{schema}}} MetricName=\"{metric.name}\" {held}', '{metric.statistic}', {PERIOD_SECONDS})"
    return [{"expression": search, "id": "nodes", "label": "${PROP('Dim.NodeName')}"}]

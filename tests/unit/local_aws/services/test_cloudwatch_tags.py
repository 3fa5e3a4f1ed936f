"""Tags of CloudWatch's resources: dashboards have some too, and nothing is left of what is deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TAGS = [{"Key": "team", "Value": "research"}]
ALARM = {
    "AlarmName": "errors",
    "Namespace": "ContainerInsights",
    "MetricName": "node_neuron_execution_errors_total",
    "Statistic": "Sum",
    "Period": 300,
    "EvaluationPeriods": 1,
    "ComparisonOperator": "GreaterThanThreshold",
    "Threshold": 0,
}


def tags(cloudwatch: Any, arn: str) -> Any:
    return cloudwatch.list_tags_for_resource(ResourceARN=arn)["Tags"]


def test_a_dashboard_keeps_its_tags_through_an_update_and_not_beyond_its_end(client: Callable[[str], Any]) -> None:
    cloudwatch = client("cloudwatch")
    named = {"DashboardName": "neuron"}
    cloudwatch.put_dashboard(**named, DashboardBody='{"widgets": []}', Tags=TAGS)
    arn = cloudwatch.get_dashboard(**named)["DashboardArn"]
    cloudwatch.put_dashboard(**named, DashboardBody='{"widgets": [{"type": "text", "properties": {"markdown": ""}}]}')
    assert tags(cloudwatch, arn) == TAGS
    cloudwatch.tag_resource(ResourceARN=arn, Tags=[{"Key": "second", "Value": "2"}])
    cloudwatch.untag_resource(ResourceARN=arn, TagKeys=["team"])
    assert tags(cloudwatch, arn) == [{"Key": "second", "Value": "2"}]
    cloudwatch.delete_dashboards(DashboardNames=["neuron"])
    cloudwatch.put_dashboard(**named, DashboardBody='{"widgets": []}')
    assert tags(cloudwatch, arn) == []
    cloudwatch.delete_dashboards(DashboardNames=["neuron"])


def test_a_new_alarm_of_an_old_name_has_no_tags_of_the_old_one(client: Callable[[str], Any]) -> None:
    cloudwatch = client("cloudwatch")
    cloudwatch.put_metric_alarm(**ALARM, Tags=TAGS)
    arn = cloudwatch.describe_alarms(AlarmNames=["errors"])["MetricAlarms"][0]["AlarmArn"]
    assert tags(cloudwatch, arn) == TAGS
    cloudwatch.delete_alarms(AlarmNames=["errors"])
    cloudwatch.put_metric_alarm(**ALARM)
    assert tags(cloudwatch, arn) == []
    cloudwatch.delete_alarms(AlarmNames=["errors"])

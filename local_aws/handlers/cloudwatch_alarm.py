"""AWS::CloudWatch::Alarm."""

from __future__ import annotations

import contextlib
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.cloudwatch_tags import change_tags, tags_of
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import tag_list, wanted_tags

NAME_LIMIT = 255


class Alarm(ServiceResource):
    """An alarm on one metric, or on expressions of several."""

    service = "cloudwatch"
    type_name = "AWS::CloudWatch::Alarm"
    put = frozenset(
        {
            "ActionsEnabled",
            "AlarmActions",
            "AlarmDescription",
            "ComparisonOperator",
            "DatapointsToAlarm",
            "Dimensions",
            "EvaluateLowSampleCountPercentile",
            "EvaluationPeriods",
            "ExtendedStatistic",
            "InsufficientDataActions",
            "MetricName",
            "Metrics",
            "Namespace",
            "OKActions",
            "Period",
            "Statistic",
            "Threshold",
            "ThresholdMetricId",
            "TreatMissingData",
            "Unit",
        }
    )
    carried = put | {"AlarmName", "Tags"}
    required = frozenset({"ComparisonOperator", "EvaluationPeriods"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        name = properties.get("AlarmName") or generated_name(context, NAME_LIMIT)
        tags = tag_list(wanted_tags(context, properties))
        body = self._body(name, properties)
        call(self.client(context), "PutMetricAlarm", {**body, **({"Tags": tags} if tags else {})})
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        if present(new, *self.put) != present(old, *self.put):
            call(client, "PutMetricAlarm", self._body(physical_id, new))
        change_tags(client, self._row(context, physical_id)["AlarmArn"], context, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self._row(context, physical_id)
        self.client(context).delete_alarms(AlarmNames=[physical_id])

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        threshold = row.get("Threshold")
        if threshold is not None and threshold == int(threshold):
            row["Threshold"] = int(threshold)  # the template's 0 comes back as 0.0
        return {**present(row, *self.put, "AlarmName"), "Tags": tags_of(self.client(context), row["AlarmArn"])}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"Arn": self._row(context, physical_id)["AlarmArn"]}

    def _row(self, context: ResourceContext, name: str) -> dict[str, Any]:
        client = self.client(context)
        found = from_api(client, "DescribeAlarms", client.describe_alarms(AlarmNames=[name]))
        for row in found["MetricAlarms"]:
            return dict(row)
        message = f"The alarm does not exist: {name}"
        raise ClientError({"Error": {"Code": "ResourceNotFound", "Message": message}}, "DescribeAlarms")

    def _body(self, name: str, properties: Properties) -> dict[str, Any]:
        return {"ActionsEnabled": True, **present(properties, *self.put), "AlarmName": name}

"""AWS::EC2::FlowLog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource

KINDS = {"vpc": "VPC", "subnet": "Subnet", "eni": "NetworkInterface"}


class FlowLog(Ec2Resource):
    type_name = "AWS::EC2::FlowLog"
    tag_type = "vpc-flow-log"
    noun = "FlowLogs"
    id_member = "FlowLogId"
    rows_member = "FlowLogs"
    created = frozenset(
        {
            "DeliverLogsPermissionArn",
            "LogDestination",
            "LogDestinationType",
            "LogFormat",
            "LogGroupName",
            "MaxAggregationInterval",
            "ResourceType",
            "TrafficType",
        }
    )
    carried = created | {"ResourceId", "Tags"}
    required = frozenset({"ResourceId", "ResourceType"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        return {**super().creation(context, properties), "ResourceIds": [properties["ResourceId"]]}

    def created_id(self, answer: Mapping[str, Any]) -> str:
        """EC2 answers a refusal with success and says so in ``Unsuccessful``."""
        for each in answer.get("Unsuccessful", []):
            # Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateFlowLogs.html, Unsuccessful
            raise ClientError({"Error": each["Error"]}, "CreateFlowLogs")
        flow_log_id: str = answer["FlowLogIds"][0]
        return flow_log_id

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).delete_flow_logs(FlowLogIds=[physical_id])

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        resource_id = self.row(context, physical_id)["ResourceId"]
        return {
            **super().describe(context, physical_id),
            "ResourceId": resource_id,
            "ResourceType": KINDS[resource_id.partition("-")[0]],
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its id is all
        return {"Id": physical_id}

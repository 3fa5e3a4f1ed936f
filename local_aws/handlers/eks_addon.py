"""AWS::EKS::Addon: whether it is active, and its pod identity associations."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler


class Addon(GenericHandler):
    type_name = "AWS::EKS::Addon"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the service's answer decides
        """CloudFormation waits until a new add-on is active, and gives up on one that stays degraded."""
        row = self.row(context, physical_id)
        if not old and row["Status"] == "DEGRADED":
            codes = ", ".join(each["Code"] for each in row["Health"]["Issues"])
            # Source:
            # https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
            # for the code; the words are inferred.
            raise not_stabilized(f"Exceeded attempts to wait: the add-on is DEGRADED ({codes})", "NotStabilized")

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """DescribeAddon returns associations by ARN; what they join is asked for one by one."""
        properties, client = super().describe(context, physical_id), self.client(context)
        rows = []
        for arn in properties.get("PodIdentityAssociations", []):
            named = {"clusterName": properties["ClusterName"], "associationId": arn.rsplit("/", 1)[-1]}
            row = client.describe_pod_identity_association(**named)["association"]
            rows.append({"RoleArn": row["roleArn"], "ServiceAccount": row["serviceAccount"]})
        return {**properties, "PodIdentityAssociations": rows}

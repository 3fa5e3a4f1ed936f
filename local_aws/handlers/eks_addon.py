"""AWS::EKS::Addon."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.eks_resource import EksResource, changed_properties
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call

SEPARATOR = "|"
UPDATABLE = (
    "AddonVersion",
    "ConfigurationValues",
    "PodIdentityAssociations",
    "ResolveConflicts",
    "ServiceAccountRoleArn",
)
RESET_VALUES: dict[str, Any] = {"ConfigurationValues": "", "PodIdentityAssociations": []}
"""What is said of a property that is in the template no more; left out, EKS would keep it, other than a role."""


class Addon(EksResource):
    type_name = "AWS::EKS::Addon"
    noun = "Addon"
    member = "Addon"
    arn_member = "AddonArn"
    created = frozenset({"AddonName", "ClusterName", "NamespaceConfig", "Tags", *UPDATABLE})
    supported = created | {"PreserveOnDelete"}

    def identity(self, physical_id: str) -> dict[str, str]:
        cluster_name, name = physical_id.split(SEPARATOR)
        return {"ClusterName": cluster_name, "AddonName": name}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        call(self.client(context), "CreateAddon", self.creation(context, present(properties, *self.created)))
        physical_id = SEPARATOR.join((properties["ClusterName"], properties["AddonName"]))
        undo.callback(self.remove, context, physical_id, properties)
        self._require_active(context, physical_id)
        return physical_id

    def _require_active(self, context: ResourceContext, physical_id: str) -> None:
        """CloudFormation waits until an add-on is active, and gives up on one that stays degraded."""
        row = self.row(context, physical_id)
        if row["Status"] == "DEGRADED":
            codes = ", ".join(each["Code"] for each in row["Health"]["Issues"])
            # Source:
            # https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
            # for the code; the words are inferred.
            raise not_stabilized(f"Exceeded attempts to wait: the add-on is DEGRADED ({codes})", "NotStabilized")

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Everything that is said goes along, so that EKS keeps no setting of before."""
        changed = changed_properties(old, new)
        if changed & {*UPDATABLE} - {"ResolveConflicts"}:
            gone = {name: value for name, value in RESET_VALUES.items() if name in changed}
            request = {**self.identity(physical_id), **gone, **present(new, *UPDATABLE)}
            call(self.client(context), "UpdateAddon", request)
        self.change_tags(context, physical_id, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        preserve = {"Preserve": properties["PreserveOnDelete"]} if "PreserveOnDelete" in properties else {}
        call(self.client(context), "DeleteAddon", {**self.identity(physical_id), **preserve})

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """DescribeAddon tells associations by ARN; what they join is asked for one by one."""
        properties = super().describe(context, physical_id)
        client = self.client(context)
        cluster_name = properties["ClusterName"]
        rows = []
        for arn in properties.get("PodIdentityAssociations", []):
            association_id = arn.rsplit("/", 1)[-1]
            answer = client.describe_pod_identity_association(clusterName=cluster_name, associationId=association_id)
            row = answer["association"]
            rows.append({"RoleArn": row["roleArn"], "ServiceAccount": row["serviceAccount"]})
        return {**properties, "PodIdentityAssociations": rows}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"Arn": self.row(context, physical_id)["AddonArn"]}

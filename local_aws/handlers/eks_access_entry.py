"""AWS::EKS::AccessEntry, with the access policies that CloudFormation writes into it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.eks_resource import EksResource, changed_properties
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call, from_api

SEPARATOR = "|"
UPDATABLE = frozenset({"KubernetesGroups", "Username"})


class AccessEntry(EksResource):
    type_name = "AWS::EKS::AccessEntry"
    noun = "AccessEntry"
    member = "AccessEntry"
    arn_member = "AccessEntryArn"
    created = frozenset({"ClusterName", "PrincipalArn", "Tags", "Type"}) | UPDATABLE
    supported = created | {"AccessPolicies"}

    def identity(self, physical_id: str) -> dict[str, str]:
        principal_arn, cluster_name = physical_id.split(SEPARATOR)
        return {"ClusterName": cluster_name, "PrincipalArn": principal_arn}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        call(self.client(context), "CreateAccessEntry", self.creation(context, present(properties, *self.created)))
        physical_id = SEPARATOR.join((properties["PrincipalArn"], properties["ClusterName"]))
        undo.callback(self.remove, context, physical_id, properties)
        self._bind(context, physical_id, properties.get("AccessPolicies", []))
        return physical_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        changed = changed_properties(old, new)
        if changed & UPDATABLE:
            groups = {"KubernetesGroups": new.get("KubernetesGroups", [])}
            request = {**self.identity(physical_id), **groups, **present(new, "Username")}
            call(self.client(context), "UpdateAccessEntry", request)
        if "AccessPolicies" in changed:
            self._bind(context, physical_id, new.get("AccessPolicies", []))
        self.change_tags(context, physical_id, new)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        properties = super().describe(context, physical_id)
        return {**properties, "AccessPolicies": [*self._bound(context, physical_id).values()]}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"AccessEntryArn": self.row(context, physical_id)["AccessEntryArn"]}

    def _bind(self, context: ResourceContext, physical_id: str, wanted: Sequence[Mapping[str, Any]]) -> None:
        """Takes off the policies that are not wanted and puts on those that are new or have another scope."""
        client = self.client(context)
        bound = self._bound(context, physical_id)
        for arn in set(bound) - {policy.get("PolicyArn") for policy in wanted}:
            call(client, "DisassociateAccessPolicy", {**self.identity(physical_id), "PolicyArn": arn})
        for policy in wanted:
            if bound.get(policy.get("PolicyArn", "")) != policy:
                call(client, "AssociateAccessPolicy", {**self.identity(physical_id), **policy})

    def _bound(self, context: ResourceContext, physical_id: str) -> dict[str, dict[str, Any]]:
        """The policies of the entry by ARN, as CloudFormation writes them."""
        client = self.client(context)
        operation = "ListAssociatedAccessPolicies"
        answer = from_api(client, operation, call(client, operation, self.identity(physical_id)))
        bound: dict[str, dict[str, Any]] = {}
        for row in answer["AssociatedAccessPolicies"]:
            scope = {name: value for name, value in row["AccessScope"].items() if value != []}
            bound[row["PolicyArn"]] = {"PolicyArn": row["PolicyArn"], "AccessScope": scope}
        return bound

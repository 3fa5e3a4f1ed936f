"""AWS::EKS::PodIdentityAssociation."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.eks_resource import EksResource, changed_properties
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call

REMOVED = {"DisableSessionTags": False, "Policy": "", "TargetRoleArn": ""}
"""What takes a setting away."""
UPDATABLE = frozenset({"RoleArn", *REMOVED})


class PodIdentityAssociation(EksResource):
    """Its physical id is its ARN, which names the cluster and the association."""

    type_name = "AWS::EKS::PodIdentityAssociation"
    noun = "PodIdentityAssociation"
    member = "Association"
    arn_member = "AssociationArn"
    carried = frozenset({"ClusterName", "Namespace", "ServiceAccount", "Tags"}) | UPDATABLE

    def identity(self, physical_id: str) -> dict[str, str]:
        _, cluster_name, association_id = physical_id.split("/")
        return {"ClusterName": cluster_name, "AssociationId": association_id}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        given = self.creation(context, present(properties, *self.carried))
        answer = call(self.client(context), "CreatePodIdentityAssociation", given)
        physical_id: str = answer["association"]["associationArn"]
        undo.callback(self.remove, context, physical_id, properties)
        return physical_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        changed = changed_properties(old, new) & UPDATABLE
        if changed:
            request = {name: new.get(name, REMOVED.get(name)) for name in changed}
            call(self.client(context), "UpdatePodIdentityAssociation", {**self.identity(physical_id), **request})
        self.change_tags(context, physical_id, new)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return present(self.row(context, physical_id), "AssociationArn", "AssociationId", "ExternalId")

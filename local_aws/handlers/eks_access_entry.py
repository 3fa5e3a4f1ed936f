"""AWS::EKS::AccessEntry: the access policies that CloudFormation writes into it."""

from __future__ import annotations

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.shapes import call


class AccessEntry(GenericHandler):
    type_name = "AWS::EKS::AccessEntry"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Takes off the policies that are not wanted and puts on those that are new or have another scope."""
        wanted = new.get("AccessPolicies", [])
        if wanted == old.get("AccessPolicies", []):
            return
        client, entry = self.client(context), self.parts(physical_id)
        bound = {each["PolicyArn"]: each for each in self.describe(context, physical_id)["AccessPolicies"]}
        for arn in set(bound) - {policy.get("PolicyArn") for policy in wanted}:
            call(client, "DisassociateAccessPolicy", {**entry, "PolicyArn": arn})
        for policy in wanted:
            if bound.get(policy.get("PolicyArn", "")) != policy:
                call(client, "AssociateAccessPolicy", {**entry, **policy})

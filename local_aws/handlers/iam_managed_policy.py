"""AWS::IAM::ManagedPolicy: each change of the document is a new default version."""

from __future__ import annotations

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler

VERSIONS_KEPT = 5
"""IAM keeps five versions; CloudFormation takes the oldest away before it makes another."""


class ManagedPolicy(GenericHandler):
    type_name = "AWS::IAM::ManagedPolicy"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["PolicyDocument"] != old["PolicyDocument"]:
            self._delete_versions(context, physical_id, most=VERSIONS_KEPT - 1)
        super().change(context, physical_id, old, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self._delete_versions(context, physical_id, most=1)
        super().remove(context, physical_id, properties)

    def _delete_versions(self, context: ResourceContext, arn: str, *, most: int) -> None:
        """The oldest ones, but never the default version, until there are as many as ``most``."""
        client = self.client(context)
        versions = client.list_policy_versions(PolicyArn=arn)["Versions"]
        others = [each["VersionId"] for each in versions if not each["IsDefaultVersion"]]
        others.sort(key=lambda version: int(version.removeprefix("v")))
        for version in others[: max(0, len(versions) - most)]:
            client.delete_policy_version(PolicyArn=arn, VersionId=version)

"""AWS::IAM::ManagedPolicy: each change of the document is a new default version."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.iam_policy import HOLDERS, holders_of
from local_aws.handlers.iam_role import document_text
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, ignore_not_found, present
from local_aws.handlers.shapes import call

NAME_LIMIT = 128
VERSIONS_KEPT = 5
"""IAM keeps five versions; CloudFormation takes the oldest away before it makes another."""


class ManagedPolicy(ServiceResource):
    """The physical id is the ARN."""

    service = "iam"
    type_name = "AWS::IAM::ManagedPolicy"
    created = frozenset({"Description", "Path"})
    supported = created | {"ManagedPolicyName", "PolicyDocument", *HOLDERS}
    required = frozenset({"PolicyDocument"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        parameters = {
            **present(properties, *self.created),
            "PolicyName": properties.get("ManagedPolicyName") or generated_name(context, NAME_LIMIT),
            "PolicyDocument": document_text(properties["PolicyDocument"]),
        }
        arn: str = call(self.client(context), "CreatePolicy", parameters)["Policy"]["Arn"]
        undo.callback(self.remove, context, arn, properties)
        self._change_holders(context, arn, {}, properties)
        return arn

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["PolicyDocument"] != old["PolicyDocument"]:
            client = self.client(context)
            versions = client.list_policy_versions(PolicyArn=physical_id)["Versions"]
            replaceable = [each["VersionId"] for each in versions if not each["IsDefaultVersion"]]
            if len(versions) >= VERSIONS_KEPT:
                oldest = min(replaceable, key=lambda version: int(version.removeprefix("v")))
                client.delete_policy_version(PolicyArn=physical_id, VersionId=oldest)
            text = document_text(new["PolicyDocument"])
            client.create_policy_version(PolicyArn=physical_id, PolicyDocument=text, SetAsDefault=True)
        self._change_holders(context, physical_id, old, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        client = self.client(context)
        self._change_holders(context, physical_id, properties, {})
        for version in client.list_policy_versions(PolicyArn=physical_id)["Versions"]:
            if not version["IsDefaultVersion"]:
                client.delete_policy_version(PolicyArn=physical_id, VersionId=version["VersionId"])
        client.delete_policy(PolicyArn=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        row = client.get_policy(PolicyArn=physical_id)["Policy"]
        version = client.get_policy_version(PolicyArn=physical_id, VersionId=row["DefaultVersionId"])["PolicyVersion"]
        held = client.list_entities_for_policy(PolicyArn=physical_id)
        return {
            **present(row, *self.created),
            "ManagedPolicyName": row["PolicyName"],
            "PolicyDocument": version["Document"],
            **{name: [each[f"{kind.title()}Name"] for each in held[f"Policy{name}"]] for name, kind in HOLDERS.items()},
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_policy(PolicyArn=physical_id)["Policy"]
        attributes = present(row, "PolicyId", "DefaultVersionId", "IsAttachable", "AttachmentCount")
        return {"PolicyArn": physical_id, **attributes}

    def _change_holders(self, context: ResourceContext, arn: str, old: Properties, new: Properties) -> None:
        before, after = list(holders_of(old)), list(holders_of(new))
        for verb, holders in (
            ("Attach", [each for each in after if each not in before]),
            ("Detach", [each for each in before if each not in after]),
        ):
            for kind, holder in holders:
                parameters = {f"{kind.title()}Name": holder, "PolicyArn": arn}
                with ignore_not_found() if verb == "Detach" else contextlib.nullcontext():
                    call(self.client(context), f"{verb}{kind.title()}Policy", parameters)

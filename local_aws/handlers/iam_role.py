"""AWS::IAM::Role."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list, tag_map

NAME_LIMIT = 64
SESSION_SECONDS = 3600
"""IAM's default of MaxSessionDuration."""


class Role(ServiceResource):
    """Its own policies, inline and attached, go with it; others that are attached make IAM refuse its deletion."""

    service = "iam"
    type_name = "AWS::IAM::Role"
    created = frozenset({"Description", "MaxSessionDuration", "Path", "RoleName"})
    supported = created | {"AssumeRolePolicyDocument", "ManagedPolicyArns", "PermissionsBoundary", "Policies", "Tags"}
    required = frozenset({"AssumeRolePolicyDocument"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("RoleName") or generated_name(context, NAME_LIMIT)
        parameters = {
            **present(properties, *self.created, "PermissionsBoundary"),
            "RoleName": name,
            "AssumeRolePolicyDocument": document_text(properties["AssumeRolePolicyDocument"]),
            "Tags": tag_list(desired_tags(context, properties)),
        }
        call(self.client(context), "CreateRole", parameters)
        undo.callback(self.remove, context, name, properties)
        self._change_policies(context, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        trust = document_text(new["AssumeRolePolicyDocument"])
        client.update_assume_role_policy(RoleName=physical_id, PolicyDocument=trust)
        settings = ("Description", "MaxSessionDuration")
        if present(new, *settings) != present(old, *settings):
            session = new.get("MaxSessionDuration") or SESSION_SECONDS
            description = new.get("Description", "")
            parameters = {"RoleName": physical_id, "Description": description, "MaxSessionDuration": session}
            call(client, "UpdateRole", parameters)
        if new.get("PermissionsBoundary"):
            client.put_role_permissions_boundary(RoleName=physical_id, PermissionsBoundary=new["PermissionsBoundary"])
        elif old.get("PermissionsBoundary"):
            client.delete_role_permissions_boundary(RoleName=physical_id)
        self._change_policies(context, physical_id, old, new)
        set_, gone = tag_changes(
            tag_map(client.get_role(RoleName=physical_id)["Role"].get("Tags", [])), desired_tags(context, new)
        )
        if gone:
            client.untag_role(RoleName=physical_id, TagKeys=gone)
        if set_:
            client.tag_role(RoleName=physical_id, Tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        client = self.client(context)
        inline = client.list_role_policies(RoleName=physical_id)["PolicyNames"]
        attached = client.list_attached_role_policies(RoleName=physical_id)["AttachedPolicies"]
        for policy in properties.get("Policies") or []:
            if policy["PolicyName"] in inline:
                client.delete_role_policy(RoleName=physical_id, PolicyName=policy["PolicyName"])
        for arn in properties.get("ManagedPolicyArns") or []:
            if arn in [each["PolicyArn"] for each in attached]:
                client.detach_role_policy(RoleName=physical_id, PolicyArn=arn)
        client.delete_role(RoleName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        row = client.get_role(RoleName=physical_id)["Role"]
        inline = client.list_role_policies(RoleName=physical_id)["PolicyNames"]
        attached = client.list_attached_role_policies(RoleName=physical_id)["AttachedPolicies"]
        boundary = row.get("PermissionsBoundary", {}).get("PermissionsBoundaryArn")
        return {
            **present(row, *self.created, "AssumeRolePolicyDocument"),
            **({"PermissionsBoundary": boundary} if boundary else {}),
            "ManagedPolicyArns": [each["PolicyArn"] for each in attached],
            "Policies": [
                present(client.get_role_policy(RoleName=physical_id, PolicyName=name), "PolicyName", "PolicyDocument")
                for name in inline
            ],
            "Tags": tag_list(tag_map(row.get("Tags", []))),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return present(self.client(context).get_role(RoleName=physical_id)["Role"], "Arn", "RoleId")

    def _change_policies(self, context: ResourceContext, name: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        before = {policy["PolicyName"]: policy["PolicyDocument"] for policy in old.get("Policies") or []}
        after = {policy["PolicyName"]: policy["PolicyDocument"] for policy in new.get("Policies") or []}
        for policy_name in before.keys() - after.keys():
            client.delete_role_policy(RoleName=name, PolicyName=policy_name)
        for policy_name, document in after.items():
            client.put_role_policy(RoleName=name, PolicyName=policy_name, PolicyDocument=document_text(document))
        attached, wanted = old.get("ManagedPolicyArns") or [], new.get("ManagedPolicyArns") or []
        for arn in (arn for arn in attached if arn not in wanted):
            client.detach_role_policy(RoleName=name, PolicyArn=arn)
        for arn in (arn for arn in wanted if arn not in attached):
            client.attach_role_policy(RoleName=name, PolicyArn=arn)


def document_text(document: Any) -> str:
    """A policy document as the API takes it."""
    return document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)

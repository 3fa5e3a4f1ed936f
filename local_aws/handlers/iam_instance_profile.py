"""AWS::IAM::InstanceProfile."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, ignore_not_found, present
from local_aws.handlers.shapes import call

NAME_LIMIT = 128


class InstanceProfile(ServiceResource):
    service = "iam"
    type_name = "AWS::IAM::InstanceProfile"
    supported = frozenset({"InstanceProfileName", "Path", "Roles"})
    required = frozenset({"Roles"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("InstanceProfileName") or generated_name(context, NAME_LIMIT)
        call(
            self.client(context), "CreateInstanceProfile", {"InstanceProfileName": name, **present(properties, "Path")}
        )
        undo.callback(self.remove, context, name, properties)
        self.change(context, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """A profile holds one role at a time: the old one goes first."""
        client = self.client(context)
        before, after = old.get("Roles") or [], new.get("Roles") or []
        for role in (role for role in before if role not in after):
            client.remove_role_from_instance_profile(InstanceProfileName=physical_id, RoleName=role)
        for role in (role for role in after if role not in before):
            client.add_role_to_instance_profile(InstanceProfileName=physical_id, RoleName=role)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        client = self.client(context)
        for role in properties.get("Roles") or []:
            with ignore_not_found():
                client.remove_role_from_instance_profile(InstanceProfileName=physical_id, RoleName=role)
        client.delete_instance_profile(InstanceProfileName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_instance_profile(InstanceProfileName=physical_id)["InstanceProfile"]
        return {
            **present(row, "InstanceProfileName", "Path"),
            "Roles": [role["RoleName"] for role in row["Roles"]],
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_instance_profile(InstanceProfileName=physical_id)["InstanceProfile"]
        return present(row, "Arn")

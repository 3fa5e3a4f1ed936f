"""AWS::IAM::Role: its own policies, inline and attached, go with it.

Others that are attached make IAM refuse its deletion.
"""

from __future__ import annotations

import json
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import ignore_not_found, present


class Role(GenericHandler):
    type_name = "AWS::IAM::Role"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        before = {policy["PolicyName"] for policy in old.get("Policies") or []}
        after = {policy["PolicyName"]: policy["PolicyDocument"] for policy in new.get("Policies") or []}
        for name in before - after.keys():
            with ignore_not_found():
                client.delete_role_policy(RoleName=physical_id, PolicyName=name)
        for name, document in after.items():
            client.put_role_policy(RoleName=physical_id, PolicyName=name, PolicyDocument=document_text(document))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self.apply(context, physical_id, properties, {})
        super().remove(context, physical_id, properties)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client, properties = self.client(context), super().describe(context, physical_id)
        policies = [client.get_role_policy(RoleName=physical_id, PolicyName=name) for name in properties["Policies"]]
        return {**properties, "Policies": [present(each, "PolicyName", "PolicyDocument") for each in policies]}


def document_text(document: Any) -> str:
    """A policy document as the API takes it."""
    return document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)

"""AWS::KMS::Key."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list, tag_map

PENDING_DAYS = 30
"""KMS's default waiting period before a key is deleted, in days."""
POLICY = "default"
"""The only name a key policy can have."""


class Key(ServiceResource):
    """A deletion schedules the key's; until then it exists and cannot be used."""

    service = "kms"
    type_name = "AWS::KMS::Key"
    created = frozenset({"Description", "KeySpec", "KeyUsage", "MultiRegion", "Origin"})
    supported = created | {
        "BypassPolicyLockoutSafetyCheck",
        "Enabled",
        "EnableKeyRotation",
        "KeyPolicy",
        "PendingWindowInDays",
        "RotationPeriodInDays",
        "Tags",
    }

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        tags = tag_list(desired_tags(context, properties), "TagKey", "TagValue")
        policy = {"Policy": _text(properties["KeyPolicy"])} if properties.get("KeyPolicy") else {}
        parameters = {
            **present(properties, *self.created, "BypassPolicyLockoutSafetyCheck"),
            **policy,
            **({"Tags": tags} if tags else {}),
        }
        key_id: str = call(self.client(context), "CreateKey", parameters)["KeyMetadata"]["KeyId"]
        undo.callback(self.remove, context, key_id, properties)
        self._change_state(context, key_id, properties)
        return key_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        if new.get("KeyPolicy") and new["KeyPolicy"] != old.get("KeyPolicy"):
            policy = {"KeyId": physical_id, "PolicyName": POLICY, "Policy": _text(new["KeyPolicy"])}
            call(client, "PutKeyPolicy", {**policy, **present(new, "BypassPolicyLockoutSafetyCheck")})
        if new.get("Description", "") != old.get("Description", ""):
            client.update_key_description(KeyId=physical_id, Description=new.get("Description", ""))
        self._change_state(context, physical_id, new)
        now = tag_map(client.list_resource_tags(KeyId=physical_id)["Tags"], "TagKey", "TagValue")
        set_, gone = tag_changes(now, desired_tags(context, new))
        if gone:
            client.untag_resource(KeyId=physical_id, TagKeys=gone)
        if set_:
            client.tag_resource(KeyId=physical_id, Tags=tag_list(set_, "TagKey", "TagValue"))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        client = self.client(context)
        if client.describe_key(KeyId=physical_id)["KeyMetadata"]["KeyState"] == "PendingDeletion":
            return
        days = properties.get("PendingWindowInDays") or PENDING_DAYS
        call(client, "ScheduleKeyDeletion", {"KeyId": physical_id, "PendingWindowInDays": days})

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """A key whose deletion is scheduled counts as gone."""
        client = self.client(context)
        row = client.describe_key(KeyId=physical_id)["KeyMetadata"]
        if row["KeyState"] == "PendingDeletion":
            message = f"Key '{row['Arn']}' is pending deletion"
            raise ClientError({"Error": {"Code": "NotFoundException", "Message": message}}, "DescribeKey")
        rotation = client.get_key_rotation_status(KeyId=physical_id)
        policy = client.get_key_policy(KeyId=physical_id, PolicyName=POLICY)["Policy"]
        return {
            **present(row, *self.created, "Enabled"),
            "KeyPolicy": json.loads(policy),
            "EnableKeyRotation": rotation["KeyRotationEnabled"],
            **present(rotation, "RotationPeriodInDays"),
            "Tags": tag_list(tag_map(client.list_resource_tags(KeyId=physical_id)["Tags"], "TagKey", "TagValue")),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).describe_key(KeyId=physical_id)["KeyMetadata"]
        return {"Arn": row["Arn"], "KeyId": physical_id}

    def _change_state(self, context: ResourceContext, key_id: str, new: Properties) -> None:
        """Rotation can only be changed while the key is enabled."""
        client = self.client(context)
        enabled = _is_true(new.get("Enabled", True))
        is_enabled = client.describe_key(KeyId=key_id)["KeyMetadata"]["Enabled"]
        if enabled and not is_enabled:
            client.enable_key(KeyId=key_id)
        rotates = client.get_key_rotation_status(KeyId=key_id)["KeyRotationEnabled"]
        if _is_true(new.get("EnableKeyRotation", False)):
            call(client, "EnableKeyRotation", {"KeyId": key_id, **present(new, "RotationPeriodInDays")})
        elif rotates:
            client.disable_key_rotation(KeyId=key_id)
        if is_enabled and not enabled:
            client.disable_key(KeyId=key_id)


def _text(document: Any) -> str:
    return document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)


def _is_true(value: Any) -> bool:
    return str(value).lower() == "true"

"""AWS::KMS::Key: enabled or not, and its rotation. A deletion schedules the key's."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call

UNCHANGEABLE = {
    "KeySpec": "SYMMETRIC_DEFAULT",
    "KeyUsage": "ENCRYPT_DECRYPT",
    "MultiRegion": False,
    "Origin": "AWS_KMS",
}
"""With what a template means that does not have them: a key is not replaced, so that what it encrypted is not lost."""


class Key(GenericHandler):
    type_name = "AWS::KMS::Key"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """A policy that the template has no more stays.

        Source: aws-cloudformation/aws-cloudformation-resource-providers-kms#50; inferred: the words
        """
        row = self.row(context, physical_id)
        for name, default in UNCHANGEABLE.items():
            if str(new.get(name, default)).lower() != str(row[name]).lower():
                raise not_stabilized(f"You cannot change the {name} of an existing key.", "InvalidRequest")
        super().change(context, physical_id, old, {**present(old, "KeyPolicy"), **new})

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the key's state decides
        """Rotation can only be changed while the key is enabled."""
        client, row = self.client(context), self.row(context, physical_id)
        enabled = _is_true(new.get("Enabled", True))
        if enabled and not row["Enabled"]:
            client.enable_key(KeyId=physical_id)
        if _is_true(new.get("EnableKeyRotation", False)):
            call(client, "EnableKeyRotation", {"KeyId": physical_id, **present(new, "RotationPeriodInDays")})
        elif row["EnableKeyRotation"]:
            client.disable_key_rotation(KeyId=physical_id)
        if row["Enabled"] and not enabled:
            client.disable_key(KeyId=physical_id)


def _is_true(value: Any) -> bool:
    return str(value).lower() == "true"

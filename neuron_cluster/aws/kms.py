"""KMS keys."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

SHORTEST_WAIT_DAYS = 7
"""The minimum waiting period of a key deletion (KMS API, ScheduleKeyDeletion)."""


class Key(Struct, frozen=True):
    id: str
    state: str
    rotates: bool
    aliases: tuple[str, ...]


def key(target: Target, key_id: str) -> Key | None:
    """The key; None when it does not exist."""
    kms = client(target, "kms")
    with translated():
        try:
            row = kms.describe_key(KeyId=key_id)["KeyMetadata"]
        except kms.exceptions.NotFoundException:
            return None
        rotates = row["KeyState"] == "Enabled" and kms.get_key_rotation_status(KeyId=key_id)["KeyRotationEnabled"]
        aliases = kms.list_aliases(KeyId=key_id)["Aliases"]
    return Key(row["KeyId"], row["KeyState"], bool(rotates), tuple(alias["AliasName"] for alias in aliases))


def key_state(target: Target, key_id: str) -> str | None:
    """``Enabled``, ``Disabled``, ``PendingDeletion``, …; None when the key does not exist."""
    kms = client(target, "kms")
    with translated():
        try:
            return str(kms.describe_key(KeyId=key_id)["KeyMetadata"]["KeyState"])
        except kms.exceptions.NotFoundException:
            return None


def key_policy(target: Target, key_id: str) -> str:
    """The policy of a key as JSON text. Raises ``ToolkitError`` when it cannot be read."""
    with translated():
        return str(client(target, "kms").get_key_policy(KeyId=key_id, PolicyName="default")["Policy"])


def schedule_key_deletion(target: Target, key_id: str) -> None:
    """Schedules the deletion of a key after the minimum waiting period; until then it can be cancelled."""
    with translated():
        client(target, "kms").schedule_key_deletion(KeyId=key_id, PendingWindowInDays=SHORTEST_WAIT_DAYS)

"""Encryption keys."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

SHORTEST_WAIT_DAYS = 7
"""The least time that KMS keeps a key that is to be deleted (KMS API, ScheduleKeyDeletion)."""


class Key(Struct, frozen=True):
    id: str
    state: str
    rotates: bool
    aliases: tuple[str, ...]


def key(target: Target, key_id: str) -> Key | None:
    """The key; none when there is none."""
    kms = client(target, "kms")
    with translated():
        try:
            row = kms.describe_key(KeyId=key_id)["KeyMetadata"]
        except kms.exceptions.NotFoundException:
            return None
        rotates = row["KeyState"] == "Enabled" and kms.get_key_rotation_status(KeyId=key_id)["KeyRotationEnabled"]
        aliases = kms.list_aliases(KeyId=key_id)["Aliases"]
    return Key(row["KeyId"], row["KeyState"], bool(rotates), tuple(alias["AliasName"] for alias in aliases))


def schedule_key_deletion(target: Target, key_id: str) -> None:
    """Lets a key be deleted after the shortest wait; until then the deletion can be cancelled."""
    with translated():
        client(target, "kms").schedule_key_deletion(KeyId=key_id, PendingWindowInDays=SHORTEST_WAIT_DAYS)

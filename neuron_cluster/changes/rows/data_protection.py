"""Rows of what protects the data of ``storage`` against deletion and loss."""

from __future__ import annotations

from neuron_cluster.changes.rows.storage_removal import REMOVE
from neuron_cluster.config.change_row import ChangeRow, FieldEffect

LOCK_CHANGES = "The lock of the vault changes; AWS Backup rejects it in compliance mode after the date of the lock."
LOCK_KEYS = ("min_days", "max_days", "changeable_days")
PLAN_CHANGES = "The backup plan changes; recovery points that exist keep their retention."

RULES_CHANGE = "The replication rules change; they hold for new objects, and copies that exist stay."

KEEP_OBJECT_LOCK = (
    "Keep `object_lock`. The shortest retention is `object_lock: {mode: governance, days: 1}`; it holds for new "
    "objects."
)
RETENTION_CHANGES = "The default retention changes for new objects; older ones keep theirs."

DATA_PROTECTION_ROWS = (
    ChangeRow(
        "storage.checkpoint_bucket.object_lock",
        FieldEffect.STATE,
        "Adding it enables Object Lock in place (in doubt for a bucket that exists: not tried on AWS). S3 never "
        "disables it.",
        KEEP_OBJECT_LOCK,
        depends=True,
    ),
    ChangeRow("storage.checkpoint_bucket.object_lock.mode", FieldEffect.IN_PLACE, RETENTION_CHANGES),
    ChangeRow("storage.checkpoint_bucket.object_lock.days", FieldEffect.IN_PLACE, RETENTION_CHANGES),
    ChangeRow(
        "storage.checkpoint_bucket.replication",
        FieldEffect.DISPOSABLE,
        "Adding or removing it adds or removes replication rules and their role; objects and copies stay as they are. "
        "Without it new objects are only in the bucket (W9051).",
    ),
    *(
        ChangeRow(f"storage.checkpoint_bucket.replication.{key}", FieldEffect.IN_PLACE, RULES_CHANGE)
        for key in ("bucket", "region", "account", "key_arn", "prefixes", "delete_markers", "time_control")
    ),
    ChangeRow(
        "storage.backup",
        FieldEffect.STATE,
        "Adding it adds a vault and a backup plan. Removing it would leave the vault behind, billed and in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.backup.resources",
        FieldEffect.DISPOSABLE,
        "The backup plan gets or loses selections; recovery points that exist stay until their retention ends.",
    ),
    ChangeRow("storage.backup.rules", FieldEffect.IN_PLACE, PLAN_CHANGES),
    *(
        ChangeRow(f"storage.backup.rules[].{key}", FieldEffect.IN_PLACE, PLAN_CHANGES)
        for key in ("name", "schedule", "delete_after_days", "cold_after_days")
    ),
    ChangeRow(
        "storage.backup.vault_lock",
        FieldEffect.IN_PLACE,
        "The vault is locked or no longer locked; AWS Backup removes no lock in compliance mode after its date.",
    ),
    *(ChangeRow(f"storage.backup.vault_lock.{key}", FieldEffect.IN_PLACE, LOCK_CHANGES) for key in LOCK_KEYS),
)

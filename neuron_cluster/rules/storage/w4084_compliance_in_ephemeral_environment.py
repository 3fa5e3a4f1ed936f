from __future__ import annotations

from neuron_cluster.config.environment_config import Lifecycle
from neuron_cluster.config.object_lock import ObjectLockMode
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ComplianceInEphemeralEnvironment(Rule):
    """An ephemeral environment locks no data in compliance mode (`vault_lock.changeable_days`, `object_lock.mode`).

    A lock in compliance mode cannot be removed, neither by you nor by AWS.

    Without this check AWS reports no error. `destroy --delete-data` fails until the retention of the newest recovery
    point or object has ended, and the storage is billed until then.
    """

    id = "W4084"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html"
    proposes = ("lifecycle", "mode")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        storage = config.storage
        if storage is None or config.lifecycle is not Lifecycle.EPHEMERAL:
            return
        bucket = storage.checkpoint_bucket
        retention = bucket.object_lock if bucket is not None else None
        if retention is not None and retention.mode is ObjectLockMode.COMPLIANCE:
            yield Violation(
                ("storage", "checkpoint_bucket", "object_lock", "mode"),
                f"lifecycle is ephemeral, but nothing can delete an object within {retention.days} days after "
                "its write",
                "set mode: governance, or lifecycle: durable",
            )
        lock = storage.backup.vault_lock if storage.backup is not None else None
        if lock is not None and lock.changeable_days is not None:
            yield Violation(
                ("storage", "backup", "vault_lock", "changeable_days"),
                f"lifecycle is ephemeral, but {lock.changeable_days} days after the deploy nothing can remove the "
                "vault lock",
                "remove changeable_days, or set lifecycle: durable",
            )

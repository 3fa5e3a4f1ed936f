from __future__ import annotations

from neuron_cluster.config.backup import Backup, VaultLock
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

LOCK = ("storage", "backup", "vault_lock")


class VaultLockRetention(Rule):
    """The vault lock has a minimum below its maximum, and each rule of the plan is within (`vault_lock`).

    Without this check AWS Backup rejects the lock (InvalidParameterValueException), or accepts the plan, and each
    backup job fails.
    """

    id = "E4082"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html"
    proposes = ("changeable_days", "delete_after_days", "max_days", "min_days")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        backup = storage.backup if storage is not None else None
        if backup is None or backup.vault_lock is None:
            return
        lock = backup.vault_lock
        least = context.catalog.limits["backup_lock_changeable_days"].require_minimum()
        if lock.changeable_days is not None and lock.changeable_days < least:
            given = f"changeable_days is {lock.changeable_days}"
            message = f"{given}; AWS Backup keeps a new lock changeable for {least} days or more"
            yield Violation((*LOCK, "changeable_days"), message, f"set changeable_days: {least}, or remove it")
        if lock.max_days is not None and lock.min_days > lock.max_days:
            message = f"min_days is {lock.min_days}, more than max_days, which is {lock.max_days}"
            yield Violation((*LOCK, "min_days"), message, f"set min_days: {lock.max_days}")
        else:
            yield from _outside(backup, lock)


def _outside(backup: Backup, lock: VaultLock) -> Violations:
    for position, rule in enumerate(backup.rules):
        days = rule.delete_after_days
        nearest = max(days, lock.min_days)
        if lock.max_days is not None:
            nearest = min(nearest, lock.max_days)
        if nearest == days:
            continue
        most = f" to {lock.max_days}" if lock.max_days is not None else " or more"
        yield Violation(
            ("storage", "backup", "rules", position, "delete_after_days"),
            f"rule {rule.name} keeps recovery points for {days} days; the vault lock admits {lock.min_days}{most}",
            f"set delete_after_days: {nearest}",
        )

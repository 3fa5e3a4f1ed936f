"""Rows of `plan` on the protection of data against deletion and loss: replication, Object Lock, backups."""

from __future__ import annotations

from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.backup_plan import BackupPlan
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.storage_plan import ObjectLockPlan
from neuron_cluster.report.marks import Marks


def object_lock_text(lock: ObjectLockPlan) -> str:
    """The mode and the default retention of new objects."""
    return f"{lock.mode.lower()} mode, for {counted(lock.days, 'day')} after the write of an object"


def replication_text(replication: ReplicationPlan, marks: Marks) -> str:
    prefixes = f"{listed(replication.prefixes)}{marks.mark((*replication.path, 'prefixes'))}"
    account = f" of account {replication.account}" if replication.is_other_account else ""
    deletions = "with" if replication.delete_markers else "without"
    return f"of {prefixes} to {replication.bucket} in {replication.region}{account}, {deletions} delete markers"


def backup_rows(backup: BackupPlan) -> list[tuple[str, ...]]:
    """A row for each rule, and one for the lock."""
    resources = [f"home {name}" for name in backup.homes]
    resources += ["Lustre"] * backup.takes_lustre + ["the checkpoint bucket"] * backup.takes_bucket
    resources += ["EFS"] * backup.takes_efs
    rows: list[tuple[str, ...]] = [
        (f"backup {rule.name}", f"of {listed(resources)}: {rule.schedule}, kept {rule.delete_after_days} days")
        for rule in backup.rules
    ]
    lock = backup.vault_lock
    if lock is not None:
        most = f"to {lock.max_days} days" if lock.max_days is not None else "days or more"
        mode = "governance mode"
        if lock.changeable_days is not None:
            mode = f"compliance mode, permanent after {lock.changeable_days} days"
        rows.append(("vault lock", f"recovery points are kept {lock.min_days} {most}; {mode}"))
    return rows

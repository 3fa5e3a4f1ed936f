"""Decisions about AWS Backup: names, and what is selected."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.backup import Backup, BackupResource, VaultLock
from neuron_cluster.plan.backup_plan import BackupPlan, BackupRulePlan, VaultLockPlan
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ID_OF_STACK = 13
"""Characters at the end of the name of a vault: a hyphen, and the last part of the id of its stack."""


def build_backup(environment: ResolvedEnvironment, section: Backup, catalog: Catalog) -> BackupPlan:
    storage = environment.config.storage
    longest = catalog.limits["backup_vault_name"].require_maximum() - ID_OF_STACK
    homes = storage.homes if storage is not None and BackupResource.HOMES in section.resources else []
    return BackupPlan(
        path=("storage", "backup"),
        name=environment.config.name[:longest],
        rules=tuple(
            BackupRulePlan(rule.name, rule.schedule, rule.delete_after_days, rule.cold_after_days)
            for rule in section.rules
        ),
        vault_lock=_vault_lock(section.vault_lock) if section.vault_lock else None,
        takes_bucket=BackupResource.CHECKPOINT_BUCKET in section.resources,
        takes_lustre=BackupResource.LUSTRE in section.resources,
        takes_efs=BackupResource.EFS in section.resources,
        homes=tuple(home.name for home in homes),
    )


def _vault_lock(section: VaultLock) -> VaultLockPlan:
    return VaultLockPlan(section.min_days, section.max_days, section.changeable_days)

"""Recovery points of AWS Backup, in its words."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class BackupRulePlan(Struct, frozen=True):
    """One schedule of the backup plan; retentions are in days."""

    name: str
    schedule: str
    """In UTC."""
    delete_after_days: int
    cold_after_days: int | None


class VaultLockPlan(Struct, frozen=True):
    """Retentions that the vault admits, in days."""

    min_days: int
    max_days: int | None
    changeable_days: int | None
    """None: governance mode."""


class BackupPlan(Struct, frozen=True):
    """A vault, a plan, and a selection for each resource."""

    path: KeyPath
    name: str
    """Of the backup plan, and the first part of the name of the vault."""
    rules: tuple[BackupRulePlan, ...]
    vault_lock: VaultLockPlan | None
    takes_bucket: bool
    takes_lustre: bool
    homes: tuple[str, ...]
    """Names of the homes that are backed up."""
    takes_efs: bool = False

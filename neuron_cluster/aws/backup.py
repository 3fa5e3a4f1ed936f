"""Vaults of AWS Backup and their recovery points."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class Vault(Struct, frozen=True):
    name: str
    recovery_points: int
    is_locked: bool
    """Whether a vault lock protects its recovery points."""


def vault(target: Target, name: str) -> Vault | None:
    """The vault; None when it does not exist.

    From the list: AWS Backup answers a query for a vault that does not exist with AccessDeniedException.
    """
    with translated():
        for page in client(target, "backup").get_paginator("list_backup_vaults").paginate():
            for row in page["BackupVaultList"]:
                if row["BackupVaultName"] == name:
                    return Vault(name, row.get("NumberOfRecoveryPoints", 0), bool(row.get("Locked")))
    return None


def delete_recovery_points(target: Target, vault_name: str) -> None:
    """Starts the deletion of each. Raises ``AwsApiError`` when the vault lock rejects it."""
    service = client(target, "backup")
    with translated():
        pages = service.get_paginator("list_recovery_points_by_backup_vault").paginate(BackupVaultName=vault_name)
        for arn in [row["RecoveryPointArn"] for page in pages for row in page["RecoveryPoints"]]:
            service.delete_recovery_point(BackupVaultName=vault_name, RecoveryPointArn=arn)


def delete_vault(target: Target, name: str) -> None:
    """Deletes an empty vault."""
    with translated():
        client(target, "backup").delete_backup_vault(BackupVaultName=name)

"""Plans and vaults of AWS Backup, and their recovery points."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

RESTORABLE = ("COMPLETED", "AVAILABLE")
"""Statuses of a recovery point; one of a continuous backup is available."""


class Selection(Struct, frozen=True):
    """The resources that a backup plan takes with one role."""

    id: str
    name: str
    role_arn: str
    resources: tuple[str, ...]
    """ARNs."""
    created: datetime


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


def selections(target: Target, plan_id: str) -> list[Selection] | None:
    """The selections of a backup plan; None when it does not exist."""
    service = client(target, "backup")
    with translated():
        try:
            pages = list(service.get_paginator("list_backup_selections").paginate(BackupPlanId=plan_id))
        except service.exceptions.ResourceNotFoundException:
            return None
        listed = [row for page in pages for row in page["BackupSelectionsList"]]
        return [_selection(service, plan_id, row) for row in listed]


def _selection(service: Any, plan_id: str, listed: dict[str, Any]) -> Selection:
    names = {"BackupPlanId": plan_id, "SelectionId": listed["SelectionId"]}
    row = service.get_backup_selection(**names)["BackupSelection"]
    return Selection(
        listed["SelectionId"],
        row["SelectionName"],
        row["IamRoleArn"],
        tuple(row.get("Resources", ())),
        listed["CreationDate"],
    )


def newest_points(target: Target, vault_name: str) -> dict[str, datetime] | None:
    """When the newest recovery point of each resource was made, by ARN; None when there is no such vault."""
    if vault(target, vault_name) is None:
        return None
    newest: dict[str, datetime] = {}
    with translated():
        pages = client(target, "backup").get_paginator("list_recovery_points_by_backup_vault")
        for page in pages.paginate(BackupVaultName=vault_name):
            for row in page["RecoveryPoints"]:
                if row["Status"] in RESTORABLE:
                    arn, made = row["ResourceArn"], row["CreationDate"]
                    newest[arn] = max(made, newest.get(arn, made))
    return newest

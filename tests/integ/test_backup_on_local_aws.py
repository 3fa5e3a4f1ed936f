"""AWS Backup: deployed, changed in place, kept by `destroy` with its recovery points, and deleted by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

WITH_BACKUP = (
    ONLY_DATA
    + """
  homes: [{name: alice, availability_zone: usw2-az4, size_gib: 100}]
  efs: {access_points: [{name: home, path: /home}]}
  backup:
    resources: [homes, lustre, efs]
    rules: [{name: daily, schedule: "cron(0 5 ? * * *)", delete_after_days: 35}]
    vault_lock: {min_days: 7}
"""
)


def selected(backup: Any, plan: str) -> dict[str, str]:
    """The ARN by name of each selection."""
    rows = backup.list_backup_selections(BackupPlanId=plan)["BackupSelectionsList"]
    found = [
        backup.get_backup_selection(BackupPlanId=plan, SelectionId=each["SelectionId"])["BackupSelection"]
        for each in rows
    ]
    return {each["SelectionName"]: each["Resources"][0] for each in found}


def backed_up(backup: Any, vault: str, arn: str, role: str) -> str:
    """How a job for the resource ends."""
    job = backup.start_backup_job(
        BackupVaultName=vault, ResourceArn=arn, IamRoleArn=role, Lifecycle={"DeleteAfterDays": 35}
    )
    return str(backup.describe_backup_job(BackupJobId=job["BackupJobId"])["State"])


def test_the_plan_is_changed_in_place_and_the_vault_is_kept_until_its_data_is_deleted(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, WITH_BACKUP)
    first = command("deploy", "--local", "only-data")
    assert first.status == 0, first.err + str(first.document)
    backup = client(target, "backup")
    (vault,) = backup.list_backup_vaults()["BackupVaultList"]
    (plan,) = [each["BackupPlanId"] for each in backup.list_backup_plans()["BackupPlansList"]]
    name, arns = vault["BackupVaultName"], selected(backup, plan)
    role = backup.list_backup_selections(BackupPlanId=plan)["BackupSelectionsList"][0]["IamRoleArn"]
    assert (vault["Locked"], vault["MinRetentionDays"], set(arns)) == (True, 7, {"home-alice", "lustre", "efs"})
    assert [backed_up(backup, name, arn, role) for arn in arns.values()] == ["COMPLETED"] * 3
    points = backup.list_recovery_points_by_backup_vault(BackupVaultName=name)["RecoveryPoints"]
    assert sorted(each["ResourceType"] for each in points) == ["EBS", "EFS", "FSx"]
    refused = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert refused.status == 1
    assert "3 recovery points, which its vault lock protects; nothing was deleted" in str(refused.document)
    edited = WITH_BACKUP.replace("delete_after_days: 35", "delete_after_days: 70").replace(
        "vault_lock: {min_days: 7}", ""
    )
    edited = edited.replace("[homes, lustre, efs]", "[homes, checkpoint_bucket]").replace("1200}", "1200, sync: {}}")
    with_only_data(project, edited)
    second = command("deploy", "--local", "only-data")
    assert second.status == 0, second.err + str(second.document)
    (same,) = backup.list_backup_vaults()["BackupVaultList"]
    assert (same["BackupVaultName"], same["Locked"]) == (name, False)
    (rule,) = backup.get_backup_plan(BackupPlanId=plan)["BackupPlan"]["Rules"]
    assert rule["Lifecycle"]["DeleteAfterDays"] == 70
    now = selected(backup, plan)
    assert now == {"home-alice": arns["home-alice"], "checkpoint-bucket": now["checkpoint-bucket"]}
    assert backed_up(backup, name, arns["lustre"], role) == "FAILED", "it is linked to the bucket now"
    with_only_data(project, ONLY_DATA.replace("1200}", "1200, sync: {}}"))
    removed = command("deploy", "--local", "only-data")
    assert (removed.status, "E9002" in removed.ids) == (1, True)
    with_only_data(project, edited)
    assert command("destroy", "--local", "only-data").status == 0
    assert [each["BackupVaultName"] for each in backup.list_backup_vaults()["BackupVaultList"]] == [name]
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert backup.list_backup_vaults()["BackupVaultList"] == []

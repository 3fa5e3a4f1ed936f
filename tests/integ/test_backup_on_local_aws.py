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
  backup:
    resources: [homes, lustre]
    rules: [{name: daily, schedule: "cron(0 5 ? * * *)", delete_after_days: 35}]
    vault_lock: {min_days: 7}
"""
)


def test_the_plan_is_changed_in_place_and_the_vault_is_kept_until_its_data_is_deleted(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, WITH_BACKUP)
    first = command("deploy", "--local", "only-data")
    assert first.status == 0, first.err + str(first.document)
    backup = client(target, "backup")
    (vault,) = backup.list_backup_vaults()["BackupVaultList"]
    (plan,) = backup.list_backup_plans()["BackupPlansList"]
    identity = {"BackupPlanId": plan["BackupPlanId"]}
    selections = {each["SelectionName"] for each in backup.list_backup_selections(**identity)["BackupSelectionsList"]}
    assert (vault["Locked"], vault["MinRetentionDays"], selections) == (True, 7, {"home-alice", "lustre"})
    edited = WITH_BACKUP.replace("delete_after_days: 35", "delete_after_days: 70").replace(
        "vault_lock: {min_days: 7}", ""
    )
    with_only_data(project, edited.replace("resources: [homes, lustre]", "resources: [homes, checkpoint_bucket]"))
    second = command("deploy", "--local", "only-data")
    assert second.status == 0, second.document
    (same,) = backup.list_backup_vaults()["BackupVaultList"]
    assert (same["BackupVaultName"], same["Locked"]) == (vault["BackupVaultName"], False)
    (rule,) = backup.get_backup_plan(**identity)["BackupPlan"]["Rules"]
    assert rule["Lifecycle"]["DeleteAfterDays"] == 70
    selections = {each["SelectionName"] for each in backup.list_backup_selections(**identity)["BackupSelectionsList"]}
    assert selections == {"home-alice", "checkpoint-bucket"}
    with_only_data(project, ONLY_DATA)
    removed = command("deploy", "--local", "only-data")
    assert (removed.status, set(removed.ids)) == (1, {"E9002"})
    with_only_data(project, edited)
    assert command("destroy", "--local", "only-data").status == 0
    assert [each["BackupVaultName"] for each in backup.list_backup_vaults()["BackupVaultList"]] == [
        vault["BackupVaultName"]
    ]
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert backup.list_backup_vaults()["BackupVaultList"] == []

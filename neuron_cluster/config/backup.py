"""AWS Backup of what an environment stores."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config import cron_pattern
from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber

BACKUP_SCHEDULE_PATTERN = rf"^cron\({cron_pattern.AWS}\)$"
Days = Annotated[WholeNumber, Field(ge=1, le=36_500)]


class BackupResource(enum.StrEnum):
    """What AWS Backup copies."""

    HOMES = "homes"
    LUSTRE = "lustre"
    CHECKPOINT_BUCKET = "checkpoint_bucket"
    EFS = "efs"


class BackupRule(ClosedModel):
    """When AWS Backup makes recovery points, and how long it keeps them."""

    name: GroupName = Field(description="Name of the rule in the backup plan.", examples=["daily"])
    schedule: Annotated[str, Field(pattern=BACKUP_SCHEDULE_PATTERN, max_length=100)] = Field(
        description="When a recovery point is made: minute, hour, day of the month, month, day of the week and year, "
        "in UTC.",
        examples=["cron(0 5 ? * * *)", "cron(0 5 1 * ? *)"],
    )
    delete_after_days: Days = Field(description="Days after which AWS Backup deletes a recovery point.", examples=[35])
    cold_after_days: Days | None = Field(
        default=None,
        description="Days after which recovery points of homes and EFS are moved to cold storage; with homes for rules "
        "that run once in 28 days or less often. Absent: never.",
        examples=[30],
    )


class VaultLock(ClosedModel):
    """Vault Lock: no recovery point is deleted before its time. With changeable_days in compliance mode."""

    min_days: Days = Field(description="Shortest retention of a recovery point.", examples=[7])
    max_days: Days | None = Field(
        default=None, description="Longest retention of a recovery point. Absent: no limit.", examples=[365]
    )
    changeable_days: Days | None = Field(
        default=None,
        description="Days from the deploy after which the lock is permanent (compliance mode): neither you nor AWS "
        "can remove or shorten it. Absent: governance mode, which can be removed with the permission for it.",
        examples=[14],
    )


class Backup(ClosedModel):
    """A vault of AWS Backup, a plan, and a selection for each resource. The vault survives `destroy`."""

    resources: Annotated[list[BackupResource], Field(min_length=1)] = Field(
        description="What is backed up. lustre: only a persistent file system without sync. checkpoint_bucket: all of "
        "it, with each version of each checkpoint. efs: the file system, whatever efs.backup is.",
        examples=[["homes"]],
    )
    rules: Annotated[list[BackupRule], Field(min_length=1)] = Field(
        description="Schedules with their retention.",
        examples=[[{"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": 35}]],
    )
    vault_lock: VaultLock | None = Field(
        default=None,
        description="Vault Lock, against the deletion of recovery points. Absent: none.",
        examples=[{"min_days": 7, "max_days": 365}],
    )

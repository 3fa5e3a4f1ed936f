"""The newest recovery point of each selection of the backup plan, next to its schedules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from neuron_cluster.aws import backup
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.plan.backup_plan import BackupPlan, BackupRulePlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy
from neuron_cluster.status.backup_schedule import last_run
from neuron_cluster.status.held_subjects import gone, ids_or_line

SUBJECT = "recovery points"
MAY_RUN_FOR = timedelta(hours=24)
"""A job that a schedule has started since may still wait or run: AWS Backup starts it within hours."""


class _Due(Struct, frozen=True):
    """The last run whose recovery point must be there."""

    rule: BackupRulePlan
    at: datetime


def recovery_point_lines(query: StatusQuery, plan: BackupPlan) -> Iterator[StatusLine]:
    plans = ids_or_line(query, SUBJECT, STORAGE.stack_key, "AWS::Backup::BackupPlan")
    vaults = ids_or_line(query, "backup vault", STORAGE.stack_key, "AWS::Backup::BackupVault")
    if isinstance(plans, StatusLine) or isinstance(vaults, StatusLine):
        yield from (each for each in (plans, vaults) if isinstance(each, StatusLine))
        return
    (plan_id,), (vault,) = plans, vaults
    target = query.access.target
    selections = reading("backup", lambda: backup.selections(target, plan_id))
    points = reading("backup", lambda: backup.newest_points(target, vault))
    if isinstance(selections, NotRead) or isinstance(points, NotRead):
        yield from (query.not_read(SUBJECT, each) for each in (selections, points) if isinstance(each, NotRead))
    elif selections is None:
        yield gone(query, f"backup plan {plan_id}", STORAGE.stack_key)
    elif points is None:
        yield gone(query, f"backup vault {vault}", STORAGE.stack_key)
    else:
        for selection in selections:
            yield from _lines(query, vault, selection, points, _last_due(query, plan, selection.created))
        yield from _without_selection(query, plan, selections)


def _last_due(query: StatusQuery, plan: BackupPlan, created: datetime) -> _Due | None:
    """None while no rule had to make one since the selection was created."""
    runs = [(last_run(rule.schedule, query.at - MAY_RUN_FOR), rule) for rule in plan.rules]
    due = [_Due(rule, at) for at, rule in runs if at is not None and at > created]
    return max(due, key=lambda each: each.at, default=None)


def _lines(
    query: StatusQuery, vault: str, selection: backup.Selection, points: Mapping[str, datetime], due: _Due | None
) -> Iterator[StatusLine]:
    for resource in selection.resources:
        subject, newest = f"{SUBJECT} of {selection.name}", points.get(resource)
        text = f"the newest is of {newest:%Y-%m-%d %H:%M} UTC" if newest is not None else "there is none"
        if due is None or (newest is not None and newest >= due.at):
            first = ": no schedule had to make one yet" if newest is None else ""
            yield healthy(subject, f"{text}{first}", since=newest)
            continue
        cause = f"{text}, and the rule {due.rule.name} was to make one at {due.at:%Y-%m-%d %H:%M} UTC"
        command = query.access.aws_command(
            "backup start-backup-job",
            backup_vault_name=vault,
            resource_arn=resource,
            iam_role_arn=selection.role_arn,
            lifecycle=f"DeleteAfterDays={due.rule.delete_after_days}",
        )
        jobs = query.access.aws_command("backup list-backup-jobs", by_resource_arn=resource)
        yield error(subject, f"{cause}. `{jobs}` shows why its jobs fail", command, since=due.at)


def _without_selection(
    query: StatusQuery, plan: BackupPlan, selections: list[backup.Selection]
) -> Iterator[StatusLine]:
    """Yields the selections of the stack that are not in the plan of AWS Backup: their resources get no points."""
    held = query.held.ids(STORAGE.stack_key, "AWS::Backup::BackupSelection")
    if isinstance(held, NotRead):
        yield query.not_read(SUBJECT, held)
        return
    for physical_id in held:
        if not any(selection.id in physical_id for selection in selections):
            yield gone(query, f"selection {physical_id} of {plan.name}", STORAGE.stack_key)

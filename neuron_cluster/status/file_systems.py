"""The state of file systems: Lustre with its export and free capacity, EFS with its mount targets, S3 Files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from neuron_cluster.aws.alarms import MetricQuery, last_values
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.storage_state import (
    AssociationState,
    LustreState,
    association_states,
    efs_life_cycle,
    lustre_state,
    mount_target_states,
    s3_files_status,
)
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.efs_plan import EfsPlan
from neuron_cluster.plan.storage_plan import LustrePlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.status.held_subjects import gone, ids_or_line

LUSTRE, EFS, S3_FILES = "Lustre", "EFS", "S3 Files"
AVAILABLE = "AVAILABLE"
IN_PROGRESS = ("CREATING", "UPDATING", "DELETING")
RECENT = timedelta(minutes=15)
GIB, MINUTE = 2**30, 60
LAG_ALARM = "lustre_export_lag_minutes"
FREE_ALARM = "lustre_free_capacity_percent"
"""The alarm of the catalog whose threshold is the least free capacity here."""


def lustre_lines(query: StatusQuery, plan: LustrePlan) -> Iterator[StatusLine]:
    if plan.existing is not None:
        yield from _lustre(query, plan, plan.existing.file_system_id)
        return
    ids = ids_or_line(query, LUSTRE, STORAGE.stack_key, "AWS::FSx::FileSystem")
    if isinstance(ids, StatusLine):
        yield ids
        return
    for file_system_id in ids:
        yield from _lustre(query, plan, file_system_id)


def _lustre(query: StatusQuery, plan: LustrePlan, file_system_id: str) -> Iterator[StatusLine]:
    found = reading("fsx", lambda: lustre_state(query.access.target, file_system_id))
    if isinstance(found, NotRead):
        yield query.not_read(LUSTRE, found)
    elif found is None:
        yield gone(query, f"{LUSTRE} {file_system_id}", STORAGE.stack_key)
        return
    else:
        yield _lustre_line(query, file_system_id, found)
        yield from _free_capacity(query, plan, file_system_id, found)
    if plan.association is not None:
        yield from _export(query, file_system_id)


def _lustre_line(query: StatusQuery, file_system_id: str, found: LustreState) -> StatusLine:
    subject, state = LUSTRE, f"{file_system_id} is {found.lifecycle}"
    command = query.access.aws_command("fsx describe-file-systems", file_system_ids=file_system_id)
    window = f"; weekly maintenance at {found.maintenance} UTC" if found.maintenance else ""
    if found.lifecycle in IN_PROGRESS:
        return warning(subject, state, command)
    if found.lifecycle != AVAILABLE:
        return error(subject, f"{state}{f': {found.failure}' if found.failure else ''}", command)
    if found.failed_actions:
        return warning(subject, f"{state}, and an update failed: {listed(found.failed_actions)}", command)
    return healthy(subject, f"{state}{window}")


def _free_capacity(
    query: StatusQuery, plan: LustrePlan, file_system_id: str, found: LustreState
) -> Iterator[StatusLine]:
    """Yields the free capacity that FSx published last; none with Intelligent-Tiering, which grows."""
    if found.capacity_gib is None:
        return
    subject = f"free capacity of {LUSTRE}"
    metric = MetricQuery("AWS/FSx", "FreeDataStorageCapacity", {"FileSystemId": file_system_id}, "Sum")
    values = reading("cloudwatch", lambda: last_values(query.access.target, [metric], at=query.at, within=RECENT))
    if isinstance(values, NotRead):
        yield query.not_read(subject, values)
        return
    if values[0] is None:
        minutes = int(RECENT.total_seconds() // 60)
        missing = NotRead("cloudwatch:GetMetricData", f"FSx has published no value in the last {minutes} minutes")
        yield query.not_read(subject, missing)
        return
    percent, least = 100 * values[0] / (found.capacity_gib * GIB), _least_percent(query)
    text = f"{percent:.0f} % of {found.capacity_gib:,} GiB are free"
    if percent >= least:
        yield healthy(subject, text)
        return
    judge = error if percent < least / 2 else warning
    cause = f"{text}: on a full storage target writes wait and then fail. Do: delete files, or add capacity"
    row = query.catalog.lustre_deployments.get(plan.deployment_type)
    larger = [size for size in row.nearest_capacities(found.capacity_gib) if size > found.capacity_gib] if row else []
    if not larger:
        yield judge(
            subject, cause, query.access.aws_command("fsx describe-file-systems", file_system_ids=file_system_id)
        )
        return
    grow = query.access.aws_command(
        "fsx update-file-system", file_system_id=file_system_id, storage_capacity=str(larger[0])
    )
    cause += f", which is billed and cannot be taken back; storage.lustre.capacity_gib is then {larger[0]}"
    yield judge(subject, cause, grow)


def _least_percent(query: StatusQuery) -> float:
    return next(alarm.threshold or 0 for alarm in query.catalog.neuron_alarms if alarm.name == FREE_ALARM)


def _export(query: StatusQuery, file_system_id: str) -> Iterator[StatusLine]:
    subject = f"export of {LUSTRE}"
    found = reading("fsx", lambda: association_states(query.access.target, file_system_id))
    if isinstance(found, NotRead):
        yield query.not_read(subject, found)
        return
    if not found:
        yield gone(query, subject, STORAGE.stack_key)
    for association in found:
        yield _export_line(query, file_system_id, association)
    if found:
        yield from _export_age(query, file_system_id)


def _export_line(query: StatusQuery, file_system_id: str, association: AssociationState) -> StatusLine:
    subject = f"export of {LUSTRE}"
    state = f"{association.path} to {association.repository} is {association.lifecycle}"
    if association.lifecycle == AVAILABLE:
        return healthy(subject, state)
    command = query.access.aws_command(
        "fsx describe-data-repository-associations", filters=f"Name=file-system-id,Values={file_system_id}"
    )
    failure = f": {association.failure}" if association.failure else ""
    judge = warning if association.lifecycle in IN_PROGRESS else error
    return judge(subject, f"{state}{failure}; files do not reach the bucket", command)


def _export_age(query: StatusQuery, file_system_id: str) -> Iterator[StatusLine]:
    """Yields how long the oldest file waits; none while FSx publishes no age, as nothing is in the queue."""
    subject = f"export queue of {LUSTRE}"
    dimensions = {"FileSystemId": file_system_id, "Publisher": "AutoExport"}
    metric = MetricQuery("AWS/FSx", "AgeOfOldestQueuedMessage", dimensions, "Maximum")
    values = reading("cloudwatch", lambda: last_values(query.access.target, [metric], at=query.at, within=RECENT))
    if isinstance(values, NotRead):
        yield query.not_read(subject, values)
        return
    if values[0] is None:
        return
    text = f"the oldest file waits for {values[0] / MINUTE:.0f} minutes"
    most = _most_seconds(query)
    if most is not None and values[0] > most:
        command = query.access.aws_command("fsx describe-data-repository-associations")
        cause = f"{text}, more than the {most / MINUTE:.0f} of the alarm: newer files are on Lustre only"
        yield warning(subject, cause, command)
    else:
        yield healthy(subject, text)


def _most_seconds(query: StatusQuery) -> float | None:
    """The threshold of the alarm of the file; None without it."""
    alarms = query.plan.observability.alarms if query.plan.observability is not None else ()
    return next((alarm.threshold for alarm in alarms if alarm.name == LAG_ALARM), None)


def efs_lines(query: StatusQuery, plan: EfsPlan) -> Iterator[StatusLine]:
    ids = ids_or_line(query, EFS, STORAGE.stack_key, "AWS::EFS::FileSystem")
    if isinstance(ids, StatusLine):
        yield ids
        return
    for file_system_id in ids:
        yield from _efs(query, plan, file_system_id)


def _efs(query: StatusQuery, plan: EfsPlan, file_system_id: str) -> Iterator[StatusLine]:
    subject, target = EFS, query.access.target
    found = reading("efs", lambda: efs_life_cycle(target, file_system_id))
    if found is None:
        yield gone(query, f"{subject} {file_system_id}", STORAGE.stack_key)
        return
    if isinstance(found, NotRead):
        yield query.not_read(subject, found)
    elif found != AVAILABLE.lower():
        command = query.access.aws_command("efs describe-file-systems", file_system_id=file_system_id)
        yield (error if found == "error" else warning)(subject, f"{file_system_id} is {found}", command)
    else:
        yield healthy(subject, f"{file_system_id} is {found}")
    mounts = reading("efs", lambda: mount_target_states(target, file_system_id))
    if isinstance(mounts, NotRead):
        yield query.not_read(f"mount targets of {EFS}", mounts)
        return
    usable = [mount for mount in mounts if mount.state == AVAILABLE.lower()]
    command = query.access.aws_command("efs describe-mount-targets", file_system_id=file_system_id)
    counts = f"{len(usable)} of {counted(len(plan.zone_ids), 'mount target')} available"
    if len(usable) < len(plan.zone_ids):
        yield error(f"mount targets of {EFS}", f"{counts}: nodes of a zone without one cannot mount", command)
    else:
        yield healthy(f"mount targets of {EFS}", counts)


def s3_files_lines(query: StatusQuery) -> Iterator[StatusLine]:
    ids = ids_or_line(query, S3_FILES, STORAGE.stack_key, "AWS::S3Files::FileSystem")
    if isinstance(ids, StatusLine):
        yield ids
        return
    for physical_id in ids:
        file_system_id = physical_id.rpartition("/")[2]
        subject = S3_FILES
        found = reading("s3files", lambda: s3_files_status(query.access.target, file_system_id))  # noqa: B023 - it is called here
        command = query.access.aws_command("s3files get-file-system", file_system_id=file_system_id)
        if isinstance(found, NotRead):
            yield query.not_read(subject, found)
        elif found is None:
            yield gone(query, f"{subject} {file_system_id}", STORAGE.stack_key)
        elif found != AVAILABLE.lower():
            judge = warning if found.upper() in IN_PROGRESS else error
            yield judge(subject, f"{file_system_id} is {found}", command)
        else:
            yield healthy(subject, f"{file_system_id} is {found}")

"""The state of directory buckets of S3 Express One Zone, and of the volumes of homes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.aws import ec2, s3
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.storage_plan import HomePlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy
from neuron_cluster.status.held_subjects import gone, ids_or_line

DIRECTORY_BUCKET = "directory bucket"
USABLE = ("available", "in-use")


def express_lines(query: StatusQuery) -> Iterator[StatusLine]:
    names = ids_or_line(query, DIRECTORY_BUCKET, STORAGE.stack_key, "AWS::S3Express::DirectoryBucket")
    if isinstance(names, StatusLine):
        yield names
        return
    for name in names:
        subject = DIRECTORY_BUCKET
        found = reading("s3", lambda: s3.bucket_exists(query.access.target, name))  # noqa: B023 - it is called here
        if isinstance(found, NotRead):
            yield query.not_read(subject, found)
        else:
            yield healthy(subject, f"{name} exists") if found else gone(query, f"{subject} {name}", STORAGE.stack_key)


def home_lines(query: StatusQuery, homes: Sequence[HomePlan]) -> Iterator[StatusLine]:
    ids = ids_or_line(query, "volumes of homes", STORAGE.stack_key, "AWS::EC2::Volume")
    if isinstance(ids, StatusLine):
        yield ids
        return
    found = reading("ec2", lambda: ec2.volumes(query.access.target, ids))
    if isinstance(found, NotRead):
        yield query.not_read("volumes of homes", found)
        return
    for volume_id in sorted(set(ids) - {volume.id for volume in found}):
        yield gone(query, f"volume {volume_id}", STORAGE.stack_key)
    for volume in found:
        if volume.state not in USABLE:
            command = query.access.aws_command("ec2 describe-volumes", volume_ids=volume.id)
            yield error(f"volume {volume.id}", f"it is {volume.state}", command)
    usable = sum(volume.state in USABLE for volume in found)
    if len(ids) < len(homes):
        cause = f"the stack has {len(ids)} of {counted(len(homes), 'volume')} of the file"
        yield error("volumes of homes", cause, query.toolkit_command("deploy"))
    elif usable:
        yield healthy("volumes of homes", f"{counted(usable, 'volume')} usable")

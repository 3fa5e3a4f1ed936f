"""The newest complete checkpoint of the bucket, by its manifest, which neuron-training writes last."""

from __future__ import annotations

from neuron_cluster.access.prefixes import prefixes_of
from neuron_cluster.aws.named_objects import named_objects
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.checkpoints.checkpoint_drill import SET_ASIDE
from neuron_cluster.checkpoints.checkpoint_manifest import MANIFEST
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, healthy, warning

SUBJECT = "newest complete checkpoint"


def newest_checkpoint_line(query: StatusQuery, bucket: str) -> StatusLine:
    """Compares no file with the manifest: `storage drill` does. A bucket without a checkpoint is healthy."""
    prefix = f"{prefixes_of(query.plan)[0].strip('/')}/"
    found = reading("s3", lambda: named_objects(query.access.target, bucket, prefix, MANIFEST))
    if isinstance(found, NotRead):
        return query.not_read(SUBJECT, found)
    place, drill = f"s3://{bucket}/{prefix}", query.toolkit_command("storage drill")
    if not found.is_whole:
        cause = f"more than {found.count:,} objects are below {place}, which would take too many calls"
        return query.not_read(SUBJECT, NotRead("s3:ListObjectsV2", cause))
    complete = {key: at for key, at in found.written.items() if f"/{SET_ASIDE}" not in f"/{key}"}
    if complete:
        newest = max(complete, key=lambda key: complete[key])
        folder = newest.removesuffix(f"/{MANIFEST}")
        at = complete[newest]
        return healthy(SUBJECT, f"{folder} of {at:%Y-%m-%d %H:%M} UTC, files not compared", since=at)
    if found.count:
        cause = f"none of {counted(found.count, 'object')} below {place} is a {MANIFEST}: no checkpoint can be restored"
        return warning(SUBJECT, cause, drill)
    return healthy(SUBJECT, f"no object is below {place} yet")

"""Rows of ``storage``: everything here is kept, so an edit that would replace it is blocked."""

from __future__ import annotations

from neuron_cluster.changes.rows.efs import EFS_ROWS
from neuron_cluster.changes.rows.storage_removal import REMOVE
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command

MOVE = (
    "Deploy a second environment with the new setting under another name, copy the data (through the checkpoint "
    "bucket: `sync` mirrors it), move the jobs, then `neuron-cluster destroy OLD --delete-data OLD`."
)
MOVE_HOME = (
    "Add a second home and deploy, mount it on a second workstation, copy the files (through the checkpoint bucket), "
    "and name the new home in the place of the old one. To delete the old one: "
    f"`{Command.DESTROY_WITH_DATA} --home HOME` (docs/workstations.md)."
)
REMOVE_HOME = (
    "Copy what you need, take it out of `workstations[].home` and deploy, take it out of the file, run "
    f"`{Command.DESTROY_WITH_DATA} --home HOME`, which deletes its volume alone, and deploy."
)
MOVE_EXPRESS = (
    "Deploy a second environment with the new setting under another name, copy the objects (`aws s3 sync` through the "
    "checkpoint bucket), move the jobs, then `neuron-cluster destroy OLD --delete-data OLD`."
)
MOVE_EXISTING = (
    "Stop the jobs and copy the files, from a client that mounts both; take `lustre` out of the file, also in "
    "`claims`, and deploy; delete claims and volumes with kubectl (docs/storage.md, Removed keys); put it back with "
    "the other file system and deploy."
)
SYNC_AGAIN = "Remove `sync` and deploy; then add it with the new value and deploy. No file is lost on either side."
PLANNED = (
    "It builds nothing: `plan` computes with it. Without `lustre.capacity_gib` the file system has the size that it "
    "needs, and never shrinks."
)
KEEP_SIZE = "Write `capacity_gib` and `throughput_mbps_per_tib` of the deployed file system into `storage.lustre`."

CHECKPOINT_PATHS = (
    "storage.checkpoints.group",
    "storage.checkpoints.parameters",
    "storage.checkpoints.model",
    "storage.checkpoints.optimizer",
    "storage.checkpoints.precision",
    "storage.checkpoints.bytes_per_parameter",
    "storage.checkpoints.framework",
    "storage.checkpoints.tensor_parallel",
    "storage.checkpoints.pipeline_parallel",
    "storage.checkpoints.tensors_per_rank",
    "storage.checkpoints.mode",
    "storage.checkpoints.interval_minutes",
    "storage.checkpoints.stall_seconds",
    "storage.checkpoints.keep_latest",
    "storage.checkpoints.failures_percent_per_hour",
    "storage.checkpoints.restart_minutes",
    "storage.checkpoints.drill",
    "storage.checkpoints.golden_every",
)

STORAGE_ROWS = (
    ChangeRow(
        "storage",
        FieldEffect.STATE,
        "Adding it adds a stack. Removing it would leave bucket, file system and homes behind, billed and in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.checkpoint_bucket",
        FieldEffect.STATE,
        "Adding it adds a bucket. Removing it would leave the bucket behind, in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.key_arn",
        FieldEffect.STATE,
        "Bucket and roles get the other key in place, and roles cannot read objects that are encrypted with the old "
        "one (W9578); a file system, a home and a directory bucket would be replaced. A key that was created stays in "
        "the account.",
        MOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.checkpoint_bucket.existing",
        FieldEffect.STATE,
        "A bucket that was created would be left behind, in no file. One that exists is not changed: programs would "
        "find none of its objects in the bucket that is created.",
        MOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.checkpoint_bucket.existing.name",
        FieldEffect.STATE,
        "Programs would write to the other bucket and find no checkpoint there; roles lose the old one. Objects are "
        "not copied, and neither bucket is changed.",
        "Stop the jobs and copy what they resume from (`aws s3 sync`); take `checkpoint_bucket` out of the file with "
        "the keys that need it, and deploy; put it back with the other bucket and deploy.",
    ),
    ChangeRow(
        "storage.checkpoint_bucket.existing.key_arn",
        FieldEffect.IN_PLACE,
        "Roles get rights for the other key and lose those for the old one: they cannot read objects that are "
        "encrypted with it (W9578). The encryption of the bucket is not changed.",
    ),
    ChangeRow(
        "storage.checkpoint_bucket.noncurrent_version_days",
        FieldEffect.IN_PLACE,
        "The lifecycle rule changes; a lower number makes S3 remove old versions within a day, which a durable "
        "environment confirms by name (E9049).",
    ),
    ChangeRow(
        "storage.checkpoint_bucket.abort_incomplete_upload_days", FieldEffect.IN_PLACE, "The lifecycle rule changes."
    ),
    ChangeRow(
        "storage.compile_cache",
        FieldEffect.IN_PLACE,
        "Adding or removing it adds or removes a lifecycle rule and rights of pods and workstations; graphs stay.",
    ),
    ChangeRow(
        "storage.compile_cache.expire_days",
        FieldEffect.IN_PLACE,
        "The lifecycle rule changes; with a lower number S3 deletes older graphs within a day.",
    ),
    ChangeRow(
        "storage.compile_cache.writer_namespace",
        FieldEffect.IN_PLACE,
        "The role that writes moves to the other namespace; running pods of the old one lose it within hours.",
    ),
    ChangeRow(
        "storage.lustre",
        FieldEffect.STATE,
        "Adding it adds a file system. Removing it would leave the file system behind, billed and in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.lustre.existing",
        FieldEffect.STATE,
        "A file system that was created would be left behind, in no file. One that exists is not changed: pods would "
        "find none of its files in the file system that is created.",
        MOVE,
        depends=True,
    ),
    *(
        ChangeRow(
            f"storage.lustre.existing.{key}",
            FieldEffect.STATE,
            "Pods would mount another file system, with other files; Kubernetes does not change the source of a "
            "PersistentVolume. Files are not copied, and neither file system is changed.",
            MOVE_EXISTING,
            depends=key != "file_system_id",
        )
        for key in ("file_system_id", "dns_name", "mount_name")
    ),
    ChangeRow(
        "storage.lustre.existing.security_group_id",
        FieldEffect.IN_PLACE,
        "The rules of the security group of clients refer to the other group.",
    ),
    ChangeRow(
        "storage.lustre.availability_zone",
        FieldEffect.STATE,
        "The file system would be replaced by an empty one in the other zone.",
        MOVE,
    ),
    ChangeRow(
        "storage.lustre.capacity_gib",
        FieldEffect.STATE,
        "The file system grows while it is used, and is slower for hours. It never shrinks.",
        MOVE,
        depends=True,
        growing=FieldEffect.IN_PLACE,
    ),
    ChangeRow(
        "storage.lustre.throughput_mbps_per_tib",
        FieldEffect.IN_PLACE,
        "The file servers are changed; the file system is not available for some minutes.",
    ),
    ChangeRow(
        "storage.lustre.deployment_type",
        FieldEffect.STATE,
        "The file system would be replaced by an empty one of the other type.",
        MOVE,
    ),
    ChangeRow(
        "storage.lustre.storage_type",
        FieldEffect.STATE,
        "The file system would be replaced by an empty one of the other storage class.",
        MOVE,
    ),
    ChangeRow(
        "storage.lustre.throughput_mbps",
        FieldEffect.STATE,
        "Throughput is raised while the file system is used. It is never lowered.",
        MOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.lustre.metadata_iops",
        FieldEffect.STATE,
        "Metadata IOPS are raised while the file system is used. They are never lowered.",
        MOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.lustre.read_cache_gib",
        FieldEffect.IN_PLACE,
        "The read cache gets the other size, and is filled again as files are read.",
    ),
    ChangeRow(
        "storage.lustre.data_compression",
        FieldEffect.IN_PLACE,
        "What is written from now on is compressed so; older files stay as they are.",
    ),
    ChangeRow(
        "storage.lustre.maintenance_window",
        FieldEffect.IN_PLACE,
        "The window moves, without maintenance at this time. Without the key the deployed window stays.",
    ),
    ChangeRow(
        "storage.lustre.metadata",
        FieldEffect.STATE,
        "FSx sets it when it creates the file system; a deployed one keeps its configuration.",
        MOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.lustre.sync",
        FieldEffect.PUBLISHED,
        "Adding or removing it makes or removes the data repository association; files stay on both sides. A mirror "
        "that is added begins to pass deletions on, which a durable environment confirms by name (E9049).",
        SYNC_AGAIN,
        depends=True,
    ),
    ChangeRow(
        "storage.lustre.sync.mode",
        FieldEffect.IN_PLACE,
        "The association follows the new mode. With archive S3 deletes objects of the prefix that are older than "
        "expire_days within a day; files stay on the file system. With mirror a file that is deleted takes its object "
        "with it. A durable environment confirms both by name (E9049).",
    ),
    ChangeRow(
        "storage.lustre.sync.expire_days",
        FieldEffect.IN_PLACE,
        "The lifecycle rule changes; with a lower number S3 deletes older objects within a day, which a durable "
        "environment confirms by name (E9049). Files stay.",
    ),
    ChangeRow(
        "storage.lustre.sync.file_system_path",
        FieldEffect.PUBLISHED,
        "The association would be replaced, and FSx rejects the new one while the old one uses the same prefix.",
        SYNC_AGAIN,
    ),
    ChangeRow(
        "storage.lustre.sync.prefix",
        FieldEffect.PUBLISHED,
        "The association would be replaced, and FSx rejects the new one while the old one uses the same folder.",
        SYNC_AGAIN,
    ),
    ChangeRow(
        "storage.express",
        FieldEffect.STATE,
        "Adding it adds a directory bucket. Removing it would leave the bucket behind, in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.express.availability_zone",
        FieldEffect.STATE,
        "A directory bucket stays in its zone: an empty one would replace it.",
        MOVE_EXPRESS,
    ),
    ChangeRow(
        "storage.express.expiration_days",
        FieldEffect.IN_PLACE,
        "The lifecycle rule changes; S3 deletes objects that are older within a day, for good. A durable environment "
        "confirms it by name (E9049).",
    ),
    ChangeRow("storage.express.abort_incomplete_upload_days", FieldEffect.IN_PLACE, "The lifecycle rule changes."),
    *EFS_ROWS,
    ChangeRow(
        "storage.s3_files",
        FieldEffect.STATE,
        "Adding it adds a file system, its role, its mount targets and a security group. Removing it would leave the "
        "file system behind, billed and in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.s3_files.prefix",
        FieldEffect.STATE,
        "The file system would be replaced by one over the other prefix; what it has not exported would be lost.",
        MOVE_EXPRESS,
    ),
    ChangeRow(
        "storage.checkpoints",
        FieldEffect.STATE,
        f"With golden_days a lifecycle rule is added or removed; else: {PLANNED}",
        KEEP_SIZE,
        depends=True,
    ),
    ChangeRow(
        "storage.checkpoints.golden_days",
        FieldEffect.IN_PLACE,
        "The lifecycle rule of golden checkpoints changes; with a lower number S3 expires older ones within a day, "
        "which a durable environment confirms by name (E9049).",
    ),
    *(ChangeRow(path, FieldEffect.STATE, PLANNED, KEEP_SIZE, depends=True) for path in CHECKPOINT_PATHS),
    ChangeRow(
        "storage.homes",
        FieldEffect.STATE,
        "Adding a home adds a volume. Removing one would leave its volume behind, billed and in no file; after "
        "`destroy --home` it is out of the stack with the next deploy.",
        REMOVE_HOME,
        depends=True,
    ),
    ChangeRow(
        "storage.homes[].name",
        FieldEffect.STATE,
        "An empty volume of the new name would be created; the old one would be orphaned.",
        MOVE_HOME,
    ),
    ChangeRow(
        "storage.homes[].availability_zone",
        FieldEffect.STATE,
        "A volume cannot be moved to another zone: an empty one would replace it.",
        MOVE_HOME,
    ),
    ChangeRow(
        "storage.homes[].size_gib",
        FieldEffect.STATE,
        "The volume grows while it is used, and its file system at the next start of the instance; EC2 rejects a "
        "second change within six hours. It never shrinks.",
        MOVE_HOME,
        depends=True,
    ),
)

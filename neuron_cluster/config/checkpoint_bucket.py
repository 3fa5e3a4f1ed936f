"""The checkpoint bucket of an environment, and the compile cache in it."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.bucket_replication import BucketReplication
from neuron_cluster.config.existing_storage import ExistingBucket
from neuron_cluster.config.object_lock import ObjectLock
from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber


class CheckpointBucket(ClosedModel):
    """An encrypted, versioned S3 bucket. It survives `destroy`."""

    existing: ExistingBucket | None = Field(
        default=None,
        description="A bucket that exists, instead of a generated one. Absent: a bucket is created.",
        examples=[{"name": "team-checkpoints"}],
    )
    noncurrent_version_days: Annotated[WholeNumber, Field(ge=1, le=3_650)] = Field(
        default=30,
        description="Days for which an overwritten or deleted object can be restored.",
        examples=[30],
    )
    abort_incomplete_upload_days: Annotated[WholeNumber, Field(ge=1, le=365)] = Field(
        default=7, description="Days after which an incomplete multipart upload is deleted.", examples=[7]
    )
    object_lock: ObjectLock | None = Field(
        default=None,
        description="S3 Object Lock with a default retention. It can never be removed. Absent: none.",
        examples=[{"mode": "governance", "days": 7}],
    )
    replication: BucketReplication | None = Field(
        default=None, description="Copies of new objects in a bucket of yours. Absent: none."
    )


class CompileCache(ClosedModel):
    """Compiled graphs below `compile-cache/` in the checkpoint bucket. One role writes them, workloads read them."""

    expire_days: Annotated[WholeNumber, Field(ge=2, le=3_650)] = Field(
        default=90,
        description="Days after which S3 deletes a compiled graph. The chart compile-cache-warmer or the job "
        "warm-compile-cache compiles it again.",
        examples=[90],
    )
    writer_namespace: GroupName | None = Field(
        default=None,
        description="Namespace whose service account compile-cache-writer may write. Default: the first "
        "namespace of the cluster.",
        examples=["default"],
    )

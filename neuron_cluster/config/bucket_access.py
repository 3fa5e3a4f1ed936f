"""Roles for the checkpoint bucket: ``bucket_access`` of a namespace."""

import enum

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, GroupName


class BucketRight(enum.StrEnum):
    """What pods may do below the prefix of their namespace."""

    READ = "read"
    WRITE = "write"


class BucketAccess(ClosedModel):
    """An IAM role for one service account, through EKS Pod Identity. It has access to `teams/NAMESPACE/` of the
    checkpoint bucket, and reads `golden/`, `datasets/` and `compile-cache/`."""

    service_account: GroupName = Field(
        description="Service account whose pods get the role. It is created in the namespace.", examples=["trainer"]
    )
    access: BucketRight = Field(
        default=BucketRight.READ,
        description="read: list and read objects. write: also create, overwrite and delete them; versions of objects "
        "are kept.",
        examples=["write"],
    )
    job: GroupName | None = Field(
        default=None,
        description="Limits the role to `teams/NAMESPACE/checkpoints/JOB/`. Absent: all of `teams/NAMESPACE/`.",
        examples=["llama-70b"],
    )

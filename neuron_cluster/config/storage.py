"""Everything that holds data: the checkpoint bucket, the Lustre file system in front of it, people's homes."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber, ZoneId

FOLDER_PATTERN = r"^/([A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*)?$"
PREFIX_PATTERN = r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$"


class CheckpointBucket(ClosedModel):
    """An encrypted, versioned S3 bucket. It survives `destroy`."""

    noncurrent_version_days: Annotated[WholeNumber, Field(ge=1, le=3_650)] = Field(
        default=30,
        description="Days for which an overwritten or deleted object can be restored.",
        examples=[30],
    )
    abort_incomplete_upload_days: Annotated[WholeNumber, Field(ge=1, le=365)] = Field(
        default=7, description="Days after which an incomplete multipart upload is deleted.", examples=[7]
    )


class LustreDeployment(enum.StrEnum):
    """FSx for Lustre deployment type."""

    PERSISTENT_1 = "persistent_1"
    PERSISTENT_2 = "persistent_2"
    SCRATCH_2 = "scratch_2"


class LustreCompression(enum.StrEnum):
    """Data compression on the file system."""

    LZ4 = "lz4"
    NONE = "none"


class LustreMetadata(enum.StrEnum):
    """Metadata configuration of a file system."""

    AUTOMATIC = "automatic"
    NONE = "none"


class LustreSync(ClosedModel):
    """A data repository association: one folder of the file system mirrors one prefix of the checkpoint bucket."""

    file_system_path: Annotated[str, Field(pattern=FOLDER_PATTERN, max_length=4_096)] = Field(
        default="/checkpoints", description="Folder on the file system.", examples=["/checkpoints"]
    )
    prefix: Annotated[str, Field(pattern=PREFIX_PATTERN, max_length=900)] = Field(
        default="checkpoints",
        description="Prefix in the checkpoint bucket, without slashes at the ends.",
        examples=["checkpoints"],
    )


class Lustre(ClosedModel):
    """An FSx for Lustre file system. It survives `destroy`."""

    availability_zone: ZoneId = Field(description="Zone id; use the zone of the nodes that write to it.")
    capacity_gib: Annotated[WholeNumber, Field(ge=1, le=10_000_000)] = Field(
        description="Size in GiB: 1200, 2400, then steps of 2400. It can grow later, never shrink.", examples=[4800]
    )
    throughput_mbps_per_tib: WholeNumber | None = Field(
        default=None,
        description="Throughput in MB/s per TiB. Default: the lowest of the deployment type.",
        examples=[250],
    )
    deployment_type: LustreDeployment = Field(
        default=LustreDeployment.PERSISTENT_2, description="Deployment type.", examples=["persistent_2"]
    )
    data_compression: LustreCompression = Field(
        default=LustreCompression.LZ4, description="Compression of newly written data.", examples=["lz4"]
    )
    metadata: LustreMetadata | None = Field(
        default=None,
        description="Metadata configuration, only for persistent_2. automatic: metadata IOPS grow with the capacity. "
        "none: they do not. It cannot be changed after creation. Default: automatic; for a deployed file system the "
        "value in the lock.",
        examples=["automatic"],
    )
    sync: LustreSync | None = Field(
        default=None,
        description="Synchronize a folder with the checkpoint bucket, in both directions and with deletions: `rm` on "
        "the file system deletes in the bucket, which keeps deleted objects for noncurrent_version_days. Absent: none.",
        examples=[{"file_system_path": "/checkpoints", "prefix": "checkpoints"}],
    )


class Home(ClosedModel):
    """An encrypted EBS volume for the home directory of one workstation at a time. It survives `destroy`."""

    name: GroupName = Field(description="Name of the home, unique in the environment.", examples=["alice"])
    availability_zone: ZoneId = Field(description="Zone id. The volume and its workstation are in one zone.")
    size_gib: Annotated[WholeNumber, Field(ge=1, le=16_384)] = Field(
        description="Size in GiB. It can grow later, never shrink.", examples=[200]
    )


class Storage(ClosedModel):
    """Data. A change to another section does not delete or replace it."""

    checkpoint_bucket: CheckpointBucket | None = Field(
        default=None,
        description="S3 bucket for checkpoints and compiled graphs; the toolkit generates its name. Absent: none.",
        examples=[{}],
    )
    lustre: Lustre | None = Field(default=None, description="Shared file system for training. Absent: none.")
    homes: list[Home] = Field(
        default=[],
        description="Home directories that outlive the workstations on which they are mounted.",
        examples=[[{"name": "alice", "availability_zone": "usw2-az1", "size_gib": 200}]],
    )

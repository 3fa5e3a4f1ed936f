"""The FSx for Lustre file system of an environment."""

import enum
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from neuron_cluster.config.existing_storage import ExistingLustre
from neuron_cluster.config.scalars import ClosedModel, WholeNumber, ZoneId

FOLDER_PATTERN = r"^/([A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*)?$"
MAINTENANCE_PATTERN = r"^[1-7]:([01][0-9]|2[0-3]):[0-5][0-9]$"
PREFIX_PATTERN = r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$"


def _parts_are_names(path: str) -> str:
    """Rejects parts that clients take for another folder."""
    if {".", ".."} & set(path.split("/")):
        raise PydanticCustomError("path_part", "no part of it may be `.` or `..`")
    return path


Folder = Annotated[str, Field(pattern=FOLDER_PATTERN, max_length=4_096), AfterValidator(_parts_are_names)]
Prefix = Annotated[str, Field(pattern=PREFIX_PATTERN, max_length=900), AfterValidator(_parts_are_names)]


class LustreDeployment(enum.StrEnum):
    """FSx for Lustre deployment type."""

    PERSISTENT_1 = "persistent_1"
    PERSISTENT_2 = "persistent_2"
    SCRATCH_2 = "scratch_2"


class LustreCompression(enum.StrEnum):
    """Data compression on the file system."""

    LZ4 = "lz4"
    NONE = "none"


class LustreStorageType(enum.StrEnum):
    """Storage class of a file system."""

    SSD = "ssd"
    INTELLIGENT_TIERING = "intelligent_tiering"


class LustreMetadata(enum.StrEnum):
    """Metadata configuration of a file system."""

    AUTOMATIC = "automatic"
    NONE = "none"


class SyncMode(enum.StrEnum):
    """What becomes of objects whose files are deleted on the file system."""

    MIRROR = "mirror"
    ARCHIVE = "archive"


class LustreSync(ClosedModel):
    """A data repository association: a folder of the file system and a prefix of the checkpoint bucket.

    New and changed files appear on both sides.
    """

    mode: SyncMode | None = Field(
        default=None,
        description="mirror: what is deleted on one side is deleted on the other. archive: it stays there, and S3 "
        "deletes objects of the prefix after expire_days. Default: mirror.",
        examples=["archive"],
    )
    expire_days: Annotated[WholeNumber, Field(ge=1, le=3_650)] | None = Field(
        default=None,
        description="Only for archive. Days after which S3 deletes an object of the prefix, whether its file is still "
        "there or not. Default: 7.",
        examples=[7],
    )

    file_system_path: Folder = Field(
        default="/checkpoints", description="Folder on the file system.", examples=["/checkpoints"]
    )
    prefix: Prefix = Field(
        default="checkpoints",
        description="Prefix in the checkpoint bucket, without slashes at the ends.",
        examples=["checkpoints"],
    )


class Lustre(ClosedModel):
    """An FSx for Lustre file system. It survives `destroy`."""

    existing: ExistingLustre | None = Field(
        default=None,
        description="A file system that exists; the other keys describe it, and `deploy` compares them. Absent: one is "
        "created.",
        examples=[
            {
                "file_system_id": "fs-0123456789abcdef0",
                "dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
                "mount_name": "fsx",
                "security_group_id": "sg-0123456789abcdef0",
            }
        ],
    )
    availability_zone: ZoneId = Field(description="Zone id; use the zone of the nodes that write to it.")
    capacity_gib: Annotated[WholeNumber, Field(ge=1, le=10_000_000)] | None = Field(
        default=None,
        description="Size in GiB: 1200, 2400, then steps of 2400. It can grow later, never shrink. Absent: the "
        "cheapest that takes `checkpoints`, with its throughput.",
        examples=[4800],
    )
    throughput_mbps_per_tib: WholeNumber | None = Field(
        default=None,
        description="Throughput in MB/s per TiB. Default: the lowest of the deployment type; without capacity_gib the "
        "one of the cheapest file system.",
        examples=[250],
    )
    deployment_type: LustreDeployment = Field(
        default=LustreDeployment.PERSISTENT_2, description="Deployment type.", examples=["persistent_2"]
    )
    storage_type: LustreStorageType = Field(
        default=LustreStorageType.SSD,
        description="ssd: a capacity, with throughput for each TiB. intelligent_tiering: a throughput, and files that "
        "are billed by size and age; without sync. It cannot be changed after creation.",
        examples=["intelligent_tiering"],
    )
    throughput_mbps: WholeNumber | None = Field(
        default=None,
        description="Throughput of intelligent_tiering in MB/s, in steps of 4000. It can be raised, never "
        "lowered. Default: 4000.",
        examples=[8000],
    )
    metadata_iops: WholeNumber | None = Field(
        default=None,
        description="Metadata IOPS of intelligent_tiering: 6000 or 12000. Default: 6000.",
        examples=[12000],
    )
    read_cache_gib: WholeNumber | None = Field(
        default=None,
        description="SSD read cache of intelligent_tiering in GiB; 0: none. Default: FSx sizes it by the throughput.",
        examples=[4096],
    )
    data_compression: LustreCompression = Field(
        default=LustreCompression.LZ4, description="Compression of newly written data.", examples=["lz4"]
    )
    maintenance_window: Annotated[str, Field(pattern=MAINTENANCE_PATTERN)] | None = Field(
        default=None,
        description="Start of the weekly maintenance window in UTC, d:HH:MM with 1 for Monday. It is 30 minutes long; "
        "during maintenance file operations wait for minutes. Default: FSx sets it.",
        examples=["7:03:30"],
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
        description="Synchronize a folder with the checkpoint bucket, in both directions. Absent: none.",
        examples=[{"mode": "archive", "file_system_path": "/checkpoints", "prefix": "checkpoints"}],
    )

"""Everything that holds data: the checkpoint bucket, the Lustre file system in front of it, people's homes."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.express import ExpressBucket
from neuron_cluster.config.scalars import ClosedModel, DecimalNumber, GroupName, WholeNumber, ZoneId

FOLDER_PATTERN = r"^/([A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*)?$"
PARAMETERS_PATTERN = r"^[0-9]{1,6}(\.[0-9]{1,6})?[MBT]$"
SCHEDULE_PATTERN = r"^(@(hourly|daily|weekly|monthly)|[0-9*/,-]{1,40}( [0-9A-Z*/,-]{1,40}){4})$"
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


class CompileCache(ClosedModel):
    """Compiled graphs below `compile-cache/` in the checkpoint bucket. One role writes them, workloads read them."""

    expire_days: Annotated[WholeNumber, Field(ge=2, le=3_650)] = Field(
        default=90,
        description="Days after which S3 deletes a compiled graph. A run of compile-cache-warmer compiles it again.",
        examples=[90],
    )
    writer_namespace: GroupName | None = Field(
        default=None,
        description="Namespace whose service account compile-cache-writer may write. Default: the first "
        "namespace of the cluster.",
        examples=["default"],
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


class CheckpointOptimizer(enum.StrEnum):
    """What a checkpoint keeps beside the weights."""

    ADAMW = "adamw"
    ADAMW_8BIT = "adamw_8bit"
    NONE = "none"


class CheckpointPrecision(enum.StrEnum):
    """Precision of the weights in a checkpoint."""

    FP32 = "fp32"
    BF16 = "bf16"
    BF16_WITH_FP32_WEIGHTS = "bf16_with_fp32_weights"


class CheckpointFramework(enum.StrEnum):
    """Layout of the files of a checkpoint."""

    NXD_XSER = "nxd_xser"
    NXD = "nxd"
    DCP = "dcp"
    ORBAX = "orbax"


class CheckpointMode(enum.StrEnum):
    """Whether the training waits until a checkpoint is written."""

    SYNC = "sync"
    ASYNC = "async"


Positive = Annotated[DecimalNumber, Field(gt=0, le=1_000_000)]
Count = Annotated[WholeNumber, Field(ge=1, le=1_000_000)]


class Checkpoints(ClosedModel):
    """What training jobs save. It builds nothing: the plan holds the file system against it."""

    group: GroupName | None = Field(
        default=None,
        description="Node group that saves. Default: the first one with Neuron devices.",
        examples=["trn1"],
    )
    parameters: Annotated[str, Field(pattern=PARAMETERS_PATTERN)] | None = Field(
        default=None, description="Parameters of the model, with M, B or T; or set model.", examples=["70.6B"]
    )
    model: str | None = Field(
        default=None, description="Instead of parameters: a model of the catalog.", examples=["llama-3.1-70b"]
    )
    optimizer: CheckpointOptimizer = Field(
        default=CheckpointOptimizer.ADAMW, description="Optimizer whose state is saved.", examples=["adamw"]
    )
    precision: CheckpointPrecision = Field(
        default=CheckpointPrecision.FP32, description="Precision of the saved weights.", examples=["fp32"]
    )
    framework: CheckpointFramework = Field(description="What writes the files.", examples=["dcp"])
    tensor_parallel: Count | None = Field(
        default=None, description="Tensor parallelism; nxd and nxd_xser need it.", examples=[32]
    )
    pipeline_parallel: Count = Field(default=1, description="Pipeline parallelism.", examples=[8])
    tensors_per_rank: Count | None = Field(
        default=None, description="Tensors of weights of one rank; nxd_xser needs it.", examples=[80]
    )
    mode: CheckpointMode = Field(
        default=CheckpointMode.SYNC, description="Whether training waits for the write.", examples=["async"]
    )
    interval_minutes: Positive | None = Field(
        default=None,
        description="Minutes between two checkpoints. Default: the interval with the least loss.",
        examples=[30],
    )
    stall_seconds: Positive = Field(
        default=60.0,
        description="Seconds that training may wait for one save; with async, for the copy.",
        examples=[60],
    )
    keep_latest: Count = Field(default=3, description="Checkpoints that stay on the file system.", examples=[3])
    golden_every: Count | None = Field(
        default=None,
        description="Every how many checkpoints one is kept in `golden/` of the bucket. A job of yours copies "
        "it there: `plan` shows the command and counts the cost. Absent: none.",
        examples=[50],
    )
    golden_days: Annotated[WholeNumber, Field(ge=1, le=3_650)] | None = Field(
        default=None,
        description="Days after which S3 expires an object in `golden/`. Absent: never.",
        examples=[365],
    )
    failures_percent_per_hour: Annotated[DecimalNumber, Field(gt=0, le=100)] | None = Field(
        default=None,
        description="Failures of one node in an hour, in percent. Default: the published average of the catalog.",
        examples=[0.04],
    )
    restart_minutes: Positive | None = Field(
        default=None,
        description="Minutes from a failure until the programs run again, without reading the checkpoint. Default: a "
        "new instance that pulls the image.",
        examples=[20],
    )
    drill: Annotated[str, Field(pattern=SCHEDULE_PATTERN)] | None = Field(
        default=None,
        description="Schedule of the CronJob that restores the newest checkpoint and compares it, which `workload "
        "submit model-store --set job=drill` creates. Absent: none.",
        examples=["@weekly", "0 6 * * 1"],
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
    compile_cache: CompileCache | None = Field(
        default=None,
        description="Shared cache of compiled graphs in the checkpoint bucket, with its roles. Absent: none.",
        examples=[{}],
    )
    lustre: Lustre | None = Field(default=None, description="Shared file system for training. Absent: none.")
    express: ExpressBucket | None = Field(
        default=None,
        description="S3 Express One Zone bucket in the zone of the nodes; its name is generated. Absent: none.",
        examples=[{"availability_zone": "usw2-az4"}],
    )
    checkpoints: Checkpoints | None = Field(
        default=None,
        description="What training jobs save, for the sizes, times and costs of `plan`. Absent: not planned.",
        examples=[{"model": "llama-3.1-70b", "framework": "dcp", "mode": "async"}],
    )
    homes: list[Home] = Field(
        default=[],
        description="Home directories that outlive the workstations on which they are mounted.",
        examples=[[{"name": "alice", "availability_zone": "usw2-az1", "size_gib": 200}]],
    )

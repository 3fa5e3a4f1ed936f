"""Checkpoints of training jobs, for the plan of checkpoint storage."""

import enum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from neuron_cluster.config import cron_pattern
from neuron_cluster.config.scalars import ClosedModel, DecimalNumber, GroupName, WholeNumber

PARAMETERS_PATTERN = r"^([1-9][0-9]{0,5}(\.[0-9]{1,6})?|0\.[0-9]{0,5}[1-9])[MBT]$"
SCHEDULE_PATTERN = rf"^(?:@(?:hourly|daily|weekly|monthly)|{cron_pattern.KUBERNETES})$"
Positive = Annotated[DecimalNumber, Field(gt=0, le=1_000_000)]
AUTO = "auto"


def _number_or_none(text: Any) -> Any:
    """``auto`` is the same as no key."""
    return None if text == AUTO else text


NUMBER_OR_AUTO = WithJsonSchema(
    {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000}, {"const": AUTO}]}
)
Interval = Annotated[Positive | None, BeforeValidator(_number_or_none), NUMBER_OR_AUTO]
Count = Annotated[WholeNumber, Field(ge=1, le=1_000_000)]


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
    bytes_per_parameter: Positive | None = Field(
        default=None,
        description="Instead of optimizer and precision: bytes that a checkpoint keeps of each parameter, with the "
        "state of the optimizer.",
        examples=[10],
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
    interval_minutes: Interval = Field(
        default=None,
        description="Minutes between two checkpoints, or auto: the interval with the least loss. Default: auto.",
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
        "it there: `plan --details` shows the command and counts the cost. Absent: none.",
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
    drill: Annotated[str, Field(pattern=SCHEDULE_PATTERN, max_length=200)] | None = Field(
        default=None,
        description="Schedule of the CronJob that restores the newest checkpoint and compares it, which `workload "
        "submit model-store --set job=drill` creates. Absent: none.",
        examples=["@weekly", "0 6 * * 1"],
    )

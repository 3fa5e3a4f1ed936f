"""Training jobs: ``sagemaker_training.jobs``."""

import enum
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.config.machine import prefixed_instance_type
from neuron_cluster.config.sagemaker import ML_TYPE_PATTERN
from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber, ZoneId
from neuron_cluster.sections.sagemaker_training.config.capacity import JOB_HOURS, JobCapacity

JOB_NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$"
CHANNEL_PATTERN = r"^[a-z][a-z0-9_-]{0,62}$"
S3_PATTERN = r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^\x00-\x1f\x7f*?]{1,900}$"
LUSTRE_PATTERN = r"^/[A-Za-z0-9._/-]{1,300}$"
IMAGE_PATTERN = (
    r"^[0-9]{12}\.dkr\.ecr\.[a-z]{2}(-[a-z]+)+-[0-9]\.amazonaws\.com(\.cn)?/"
    r"([a-z0-9]+([._-]+[a-z0-9]+)*/)*[a-z0-9]+([._-]+[a-z0-9]+)*"
    r"(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|@sha256:[0-9a-f]{64})$"
)
WORD_PATTERN = r"^[^\x00-\x1f\x7f]{1,256}$"

Scalar = WithJsonSchema({"type": ["string", "number", "boolean"]})
"""The schema of editors, which read ``steps: 100`` as a number where this toolkit reads the text."""
Word = Annotated[str, Field(pattern=WORD_PATTERN)]


class Launcher(enum.StrEnum):
    """The program that a container starts with."""

    NEURON_TRAINING = "neuron_training"
    IMAGE = "image"


class FrontEnd(enum.StrEnum):
    """The program that starts the ranks of an instance, as ``frontEnd`` of the chart neuron-training."""

    JAX = "jax"
    NXD = "nxd"
    TORCHTITAN = "torchtitan"


class Channel(ClosedModel):
    """Input data of a job: objects of S3 that SageMaker copies before it starts, or a folder of the file system."""

    name: Annotated[str, Field(pattern=CHANNEL_PATTERN)] = Field(
        description="Name of the channel: the job finds its data at /opt/ml/input/data/NAME.", examples=["train"]
    )
    s3: Annotated[str, Field(pattern=S3_PATTERN)] | None = Field(
        default=None,
        description="Prefix of a bucket in the same Region, which the role of the job may read.",
        examples=["s3://my-datasets/tokens/"],
    )
    lustre: Annotated[str, Field(pattern=LUSTRE_PATTERN)] | None = Field(
        default=None,
        description="Folder of the file system of storage.lustre, mounted read-only.",
        examples=["/datasets"],
    )


class TrainingJob(ClosedModel):
    """One job by name; each submission of it is a training job of SageMaker with a name of its own."""

    name: Annotated[str, Field(pattern=JOB_NAME_PATTERN)] = Field(
        description="Name for `workload submit` and others, unique in the environment.", examples=["finetune"]
    )
    team: GroupName | None = Field(
        default=None,
        description="Team that it belongs to: it has a role and prefixes of its own. Absent: the shared role.",
        examples=["research"],
    )
    image: Annotated[str, Field(pattern=IMAGE_PATTERN)] = Field(
        description="Container image in ECR, with its registry, in the same Region.",
        examples=[
            "763104351884.dkr.ecr.us-west-2.amazonaws.com/jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
        ],
    )
    launcher: Launcher = Field(
        default=Launcher.NEURON_TRAINING,
        description="neuron_training: the program of the chart neuron-training, which starts the ranks, saves at "
        "SIGTERM and resumes. image: the entry point of the image.",
        examples=["neuron_training"],
    )
    front_end: FrontEnd = Field(
        default=FrontEnd.JAX,
        description="What starts the ranks with launcher neuron_training: jax starts one process an instance, nxd and "
        "torchtitan start torchrun with one process a core.",
        examples=["jax"],
    )
    program: Annotated[list[Word], Field(max_length=20)] = Field(
        default=[],
        description="Training program of launcher neuron_training, with its first arguments: what python3 or torchrun "
        "gets. Absent: the example of the front end, on synthetic data.",
        examples=[["/opt/ml/input/data/code/train.py"]],
    )
    arguments: Annotated[list[Word], Field(max_length=70)] = Field(
        default=[], description="Arguments of the program.", examples=[["--steps", "1000"]]
    )
    hyperparameters: dict[str, Annotated[str, Field(max_length=2_500), Scalar]] = Field(
        default={},
        description="Hyperparameters: SageMaker writes them to /opt/ml/input/config/hyperparameters.json.",
        examples=[{"learning-rate": "0.0001"}],
    )
    environment: dict[str, Annotated[str, Field(max_length=512), Scalar]] = Field(
        default={},
        description="Environment variables of the containers, in addition to those of the toolkit.",
        examples=[{"NEURON_CC_FLAGS": "--model-type transformer"}],
    )
    instance_type: Annotated[str, Field(pattern=ML_TYPE_PATTERN), BeforeValidator(prefixed_instance_type("ml."))] = (
        Field(description="SageMaker instance type.", examples=["ml.trn1.32xlarge"])
    )
    count: Annotated[WholeNumber, Field(ge=1)] = Field(
        default=1, description="Number of instances, at least 1.", examples=[2]
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id of its instances. Absent: the zone of the file system with a channel of lustre, the first "
        "zone of the network for several instances with EFA, else the zones of the network.",
        examples=["usw2-az4"],
    )
    capacity: JobCapacity = Field(
        default=OnDemand(kind="on_demand"),
        description="Purchase option.",
        examples=[{"kind": "spot", "max_wait_hours": 72}],
    )
    max_runtime_hours: Annotated[WholeNumber, Field(ge=1, le=JOB_HOURS)] = Field(
        default=24,
        description="Hours after which SageMaker stops the job (MaxRuntimeInSeconds).",
        examples=[48],
    )
    keep_alive_minutes: Annotated[WholeNumber, Field(ge=0, le=60)] = Field(
        default=0,
        description="Minutes for which its instances wait for another job (warm pool), which are billed. 0: none.",
        examples=[30],
    )
    channels: Annotated[list[Channel], Field(max_length=19)] = Field(
        default=[],
        description="Input data.",
        examples=[[{"name": "train", "s3": "s3://my-datasets/tokens/"}]],
    )

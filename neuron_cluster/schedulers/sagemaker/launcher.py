"""The launcher of charts/neuron-training in a training job: its channel, entry point, variables and arguments.

Limits: CreateTrainingJob of the API (botocore 1.44.5: TrainingEnvironmentMap, TrainingContainerArguments). Variables
for EFA: SageMaker's own toolkits set them for ml.trn1.32xlarge only (aws/sagemaker-training-toolkit#219, #191).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from neuron_cluster.toolkit_files import CHARTS

FOLDER = CHARTS / "neuron-training" / "files"
CHANNEL = "launcher"
CHANNELS = "/opt/ml/input/data"
ENTRYPOINT: tuple[str, ...] = ("python3", f"{CHANNELS}/{CHANNEL}/on_sagemaker.py")
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "jax": ("/opt/neuron-training/example_jax.py",),
    "nxd": ("/opt/neuron-training/example_nxd.py",),
}
"""Programs of jobs without one, by front end, as those of the chart; it has none of TorchTitan for all types."""
CHECKPOINTS = "/opt/ml/checkpoints"
"""Default of ``CheckpointConfig.LocalPath``."""
STOP_SECONDS = 120
"""From SIGTERM to SIGKILL (StopTrainingJob, the stopping condition)."""
LONGEST_GRACE_SECONDS = 75
"""The ranks have so many of them: the launcher takes 30 s for the last manifest and 10 s for other processes."""


class Launch(Struct, frozen=True, kw_only=True):
    """How a job starts its ranks. ``cores`` are those of a node at its LNC, ``variables`` further ones, which win.

    ``checkpoint_folder`` is "" without checkpoints, ``CHECKPOINTS`` (or another folder that SageMaker copies to S3), or
    a folder of a channel with a file system, which all nodes share. ``cache`` is "" or an address for
    NEURON_COMPILE_CACHE_URL.
    """

    front_end: str
    image: str
    nodes: int
    cores: int
    logical_nc_config: int | None
    has_efa: bool
    grace_seconds: int
    checkpoint_folder: str
    cache: str = ""
    checksums: str = "none"
    variables: Mapping[str, str] = {}

    @property
    def shares_checkpoints(self) -> bool:
        """Whether all nodes see one checkpoint folder."""
        return PurePosixPath(self.checkpoint_folder).is_relative_to(CHANNELS)


def files() -> dict[str, bytes]:
    """The content of the channel by name: the programs of the chart."""
    return {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.py"))}


def digest() -> str:
    """SHA-256 of names and contents: a prefix that never changes its content."""
    total = hashlib.sha256()
    for name, content in files().items():
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()


def environment(launch: Launch) -> dict[str, str]:
    """The request's Environment. What differs between nodes follows from resourceconfig.json (on_sagemaker.py).

    A copy of S3 that lacks a manifest may lack files too, whatever its marks say: it is never loaded, unless
    ``variables`` has another TRAINING_WITHOUT_MANIFEST.
    """
    return {
        "PYTHONUNBUFFERED": "1",
        "TRAINING_FRONT_END": launch.front_end,
        "TRAINING_CORES": str(launch.cores),
        "TRAINING_MASTER_PORT": "29500",
        "TRAINING_ROOT_COMMUNICATION_PORT": "63182",
        "TRAINING_TOPOLOGY_PORT": "29501",
        "TRAINING_ULTRASERVER_SIZE": "0",
        "TRAINING_START_TIMEOUT_SECONDS": "1200",
        "TRAINING_GRACE_SECONDS": str(min(launch.grace_seconds, LONGEST_GRACE_SECONDS)),
        "TRAINING_SILENT_SECONDS": "300",
        "TRAINING_STOP_SIGNAL": "SIGTERM",
        "TRAINING_CACHE_FOLDER": launch.cache if launch.cache.startswith("/") else "",
        "TRAINING_RETRY_FAILED_GRAPHS": "true",
        "TRAINING_STALE_LOCK_MINUTES": "180",
        "TRAINING_MAX_LOSSES": "50",
        "TRAINING_MAX_WITHOUT_CHECKPOINT": "10",
        "TRAINING_CHECKSUMS": launch.checksums,
        "TRAINING_IMAGE": launch.image,
        **dict(_of_checkpoints(launch)),
        **machine_variables(launch),
        **launch.variables,
    }


def _of_checkpoints(launch: Launch) -> Iterator[tuple[str, str]]:
    folder = launch.checkpoint_folder
    if launch.shares_checkpoints:
        path = PurePosixPath(folder)
        yield "TRAINING_STOP_FOLDER", str(path.with_name(f".stop-{path.name}"))
        yield "TRAINING_WITHOUT_MANIFEST", "untilFirst"
    else:
        yield "TRAINING_STOP_FOLDER", ""
        yield "TRAINING_FOLDER_PER_NODE", "true"
        yield "TRAINING_WITHOUT_MANIFEST", "reject"
    if folder:
        yield "CHECKPOINT_DIRECTORY", folder


def machine_variables(launch: Launch) -> dict[str, str]:
    """Variables that programs of the Neuron SDK read, whatever starts them."""
    return {
        **({"NEURON_LOGICAL_NC_CONFIG": str(launch.logical_nc_config)} if launch.logical_nc_config is not None else {}),
        **({"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"} if launch.has_efa else {}),
        **({"NEURON_COMPILE_CACHE_URL": launch.cache} if launch.cache else {}),
    }


def arguments(program: Sequence[str], args: Sequence[str]) -> tuple[str, ...]:
    """ContainerArguments: what torchrun, or python3 for JAX, is given. ``$(NAME)`` is filled in on the node."""
    return (*program, *args)

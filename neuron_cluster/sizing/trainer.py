"""Whether the cores of a trainer can share a model, and its nodes hold weights and optimizer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.sizing.model_division import division_problems, stage_problems
from neuron_cluster.sizing.model_shape import ModelShape
from neuron_cluster.sizing.program_options import whole_option

GB, GIB = 10**9, 2**30
TRAINING = "training"
"""The row of divisions of models that are trained."""
TENSOR = ("--tensor-parallel-size", "--tensor-model-parallel-size", "--tensor-parallel-degree")
PIPELINE = ("--pipeline-parallel-size", "--pipeline-model-parallel-size", "--pipeline-parallel-degree")
"""Names of options in trainers of NxD, NeMo and TorchTitan, which have underscores in some."""


def state_bytes(parameters: int, catalog: Catalog) -> int:
    """Returns the bytes of weights and optimizer, as a checkpoint has them."""
    return parameters * catalog.limits["checkpoint_bytes_per_parameter"].require_maximum()


def state_shortfall(
    shape: ModelShape, chip: Chip, nodes: int, devices: int, catalog: Catalog
) -> tuple[str, str] | None:
    """Returns message and hint if weights and optimizer need more memory than ``devices`` of each node have."""
    memory = chip.device_memory_gib * GIB * devices
    state = state_bytes(shape.parameters or 0, catalog)
    if state <= nodes * memory:
        return None
    message = (
        f"weights and optimizer of {shape.name} are about {state // GB} GB with AdamW in FP32, and {nodes} nodes "
        f"with {devices} Neuron devices have {nodes * memory // GB} GB, also for gradients and activations"
    )
    return message, f"request more than {ceil(state / memory)} nodes; adapters and other optimizers need less"


class TrainerProblem(Struct, frozen=True):
    """A size that the options of a trainer do not divide; ``id`` is that of the finding."""

    id: str
    message: str
    hint: str


def trainer_problems(
    arguments: Sequence[str], shape: ModelShape, cores: int, catalog: Catalog
) -> Iterator[TrainerProblem]:
    """Yields sizes that the tensor and pipeline parallelism in a trainer's arguments do not divide, by usual names."""
    tensor, stages = whole_option(arguments, *TENSOR), whole_option(arguments, *PIPELINE)
    for each in division_problems(shape, TRAINING, catalog, tensor=tensor, cores=cores) if tensor else ():
        yield TrainerProblem(
            each.id, each.message, f"use tensor parallelism of {', '.join(map(str, each.sizes))} cores"
        )
    for each in stage_problems(shape, stages) if stages else ():
        yield TrainerProblem(each.id, each.message, f"use {', '.join(map(str, each.sizes))} stages")

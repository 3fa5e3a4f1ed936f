"""Checkpoints as a user describes them, in the keys of the environment file, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.checkpoint_layout import CheckpointLayout
from neuron_cluster.checkpoints.spec import SaveMode

DEFAULT_OPTIMIZER, DEFAULT_PRECISION = "adamw", "fp32"
FACTORS = {"M": 1e6, "B": 1e9, "T": 1e12}


def parameter_count(text: str) -> float:
    """``70.6B`` as a number. Raises ValueError for what is none."""
    factor = FACTORS.get(text[-1:], 1.0)
    number = text.removesuffix(text[-1:]) if text[-1:] in FACTORS else text
    if not number.isascii() or number != number.strip():
        raise ValueError(text)
    return float(number) * factor


class CheckpointRequest(Struct, frozen=True, kw_only=True):
    """Names of fields are those of the keys below ``storage.checkpoints``; None where a key is absent."""

    parameters: float | None = None
    model: str | None = None
    optimizer: str | None = None
    precision: str | None = None
    bytes_per_parameter: float | None = None
    """Instead of an optimizer and a precision of the catalog."""
    framework: str
    tensor_parallel: int | None = None
    pipeline_parallel: int = 1
    tensors_per_rank: int | None = None
    mode: SaveMode = SaveMode.SYNC
    interval_minutes: float | None = None
    stall_seconds: float = 60
    keep_latest: int = 3
    golden_every: int | None = None
    golden_days: int | None = None
    failures_percent_per_hour: float | None = None
    restart_minutes: float | None = None

    @property
    def state_name(self) -> str:
        """Row of ``checkpoint_states``."""
        return f"{self.optimizer or DEFAULT_OPTIMIZER}-{self.precision or DEFAULT_PRECISION}"


class Writers(Struct, frozen=True, kw_only=True):
    """The nodes that save: None where the catalog does not know a number."""

    instance_type: str
    nodes: int
    ranks_per_node: int | None
    host_memory_gib: int | None

    @property
    def ranks(self) -> int | None:
        return self.nodes * self.ranks_per_node if self.ranks_per_node is not None else None


class InvalidField(Struct, frozen=True):
    """``field`` is one of ``CheckpointRequest``."""

    field: str
    message: str
    hint: str


def invalid_fields(request: CheckpointRequest, writers: Writers, catalog: Catalog) -> Iterator[InvalidField]:
    """Values that no plan can be made of; nothing for a request that ``build_spec`` accepts."""
    yield from _size(request, catalog)
    layout = catalog.checkpoint_layouts.get(request.framework)
    if layout is None:
        yield _unknown("framework", request.framework, catalog.checkpoint_layouts.names)
        return
    yield from _missing_for_layout(request, layout)
    yield from _parallelism(request, writers)


def _size(request: CheckpointRequest, catalog: Catalog) -> Iterator[InvalidField]:
    if request.parameters is None and request.model is None:
        yield InvalidField(
            "parameters",
            "neither parameters nor model is set",
            f"set parameters, such as 70.6B, or model: {', '.join(catalog.models.names)}",
        )
    elif request.parameters is not None and request.model is not None:
        yield InvalidField("model", "both parameters and model are set", "remove one of the two")
    elif request.model is not None and request.model not in catalog.models:
        yield _unknown("model", request.model, catalog.models.names)
    yield from _state(request, catalog)


def _state(request: CheckpointRequest, catalog: Catalog) -> Iterator[InvalidField]:
    if request.bytes_per_parameter is not None:
        for field in ("optimizer", "precision"):
            if getattr(request, field) is not None:
                yield InvalidField(
                    field,
                    f"both bytes_per_parameter and {field} are set, and each gives the size of a checkpoint",
                    f"remove {field}, or remove bytes_per_parameter",
                )
    elif request.state_name not in catalog.checkpoint_states:
        optimizer, precision = request.state_name.split("-", 1)
        yield InvalidField(
            "precision",
            f"the catalog has no size of a checkpoint with optimizer {optimizer} and precision {precision}",
            f"known are {', '.join(name.replace('-', ' with ', 1) for name in catalog.checkpoint_states.names)}; "
            "or set bytes_per_parameter instead of both",
        )


def _missing_for_layout(request: CheckpointRequest, layout: CheckpointLayout) -> Iterator[InvalidField]:
    if layout.files_per_model_rank and request.tensor_parallel is None:
        yield InvalidField(
            "tensor_parallel",
            f"{layout.name} writes files for each rank of tensor and pipeline parallelism, and tensor_parallel is not "
            "set",
            "set tensor_parallel",
        )
    if layout.per_tensor and request.tensors_per_rank is None:
        yield InvalidField(
            "tensors_per_rank",
            f"{layout.name} writes a file for each tensor, and tensors_per_rank is not set",
            "set tensors_per_rank: tensors of weights in a pipeline stage, for Llama about 8 for each layer of it",
        )


def _parallelism(request: CheckpointRequest, writers: Writers) -> Iterator[InvalidField]:
    model_ranks, ranks = (request.tensor_parallel or 1) * request.pipeline_parallel, writers.ranks
    if ranks is not None and ranks % model_ranks:
        yield InvalidField(
            "tensor_parallel",
            f"{request.tensor_parallel or 1} x {request.pipeline_parallel} ranks of tensor and pipeline parallelism do "
            f"not divide the {ranks:,} NeuronCores of {writers.nodes} x {writers.instance_type}",
            f"choose a product that divides {ranks:,}",
        )


def _unknown(field: str, value: str, known: Iterable[str]) -> InvalidField:
    return InvalidField(field, f"{value!r} is not a known {field}", f"known are {', '.join(known)}")

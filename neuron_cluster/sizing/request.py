"""The request of a user: the model, the task and its limits."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Task(StrEnum):
    TRAIN = "train"
    FINETUNE = "finetune"
    SERVE = "serve"
    EMBED = "embed"

    @property
    def is_training(self) -> bool:
        return self in (Task.TRAIN, Task.FINETUNE)

    @property
    def caches(self) -> bool:
        """Whether keys and values of earlier tokens are kept."""
        return self is Task.SERVE


class Fixed(Struct, frozen=True, kw_only=True):
    """Sizes of the division that the user sets; None for those that are searched."""

    tensor: int | None = None
    pipeline: int | None = None
    context: int | None = None
    expert: int | None = None
    data: int | None = None
    attention_data: int | None = None
    nodes: int | None = None
    logical_nc_config: int | None = None


class SizingRequest(Struct, frozen=True, kw_only=True):
    """``batch`` counts sequences: of a global batch in a training, at once on each copy of the model otherwise."""

    task: Task
    length: int
    """Tokens of a sequence, prompt and answer together."""
    batch: int | None = None
    micro_batch: int = 1
    weight_format: str | None = None
    """A name of ``weight_formats``; None for that of the checkpoint, where the devices have it, else BF16."""
    cache_format: str = "bf16"
    rank: int = 16
    """Rank of LoRA adapters."""
    has_divided_weights: bool = False
    """Whether the weights are already divided by core, so that the host does not load them whole."""
    instance_types: tuple[str, ...] = ()
    region: str | None = None
    purchase_option: str = "on_demand"
    max_usd_hour: float | None = None
    fixed: Fixed = Fixed()
    most_nodes: int = 64
    """The largest number of nodes that is tried for a training where ``fixed`` has none."""

    @property
    def sequences(self) -> int:
        """The number of sequences that one copy of the model processes at once."""
        if self.task is Task.TRAIN:
            return self.micro_batch
        return self.batch or self.micro_batch

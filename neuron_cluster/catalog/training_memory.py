"""Device memory that a training takes for each parameter, and that its activations take."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class TrainingMemory(SourcedRow, frozen=True, kw_only=True):
    """Bytes of each parameter, on the cores of one copy of the model. The state of the optimizer is divided over all
    copies (ZeRO-1). ``adapter_bytes`` are of each parameter of LoRA adapters, with gradient and optimizer."""

    weight_bytes: float
    gradient_bytes: float
    optimizer_bytes: float
    adapter_bytes: float


class ActivationMemory(SourcedRow, frozen=True, kw_only=True):
    """Bytes of a layer for each token and each number of the hidden size, which the cores of tensor parallelism share
    (sequence parallelism)."""

    what: str
    per_hidden: int
    per_hidden_of_one_layer: int
    """Bytes for each token and number of the hidden size, of the one layer that is computed again."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.per_hidden <= 0:
            yield "per_hidden", "a layer keeps its input at least"

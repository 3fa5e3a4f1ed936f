"""Bytes that a checkpoint keeps of each parameter, by optimizer and precision."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class CheckpointState(SourcedRow, frozen=True, kw_only=True):
    """``tensors_per_weight`` counts tensors of the optimizer for each tensor of weights."""

    what: str
    bytes_per_parameter: float
    tensors_per_weight: int

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.bytes_per_parameter <= 0:
            yield "bytes_per_parameter", "a checkpoint keeps something"

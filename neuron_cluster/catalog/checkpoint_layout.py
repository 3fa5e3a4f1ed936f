"""Files of one checkpoint, by the framework that writes it."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class CheckpointLayout(SourcedRow, frozen=True, kw_only=True):
    """Files of a model rank hold weights, those of a rank the state of the optimizer, or both where it has no others.

    ``late_mark``: an asynchronous save counts as complete only when the next one begins.
    ``host_memory_gb_*``: GB of a node that a training with asynchronous saves takes next to the copies of a checkpoint;
    None where no source has it.
    """

    what: str
    per_tensor: bool
    files_per_model_rank: int
    files_per_rank: int
    files_per_checkpoint: int
    late_mark: bool
    host_memory_gb_per_node: float | None = None
    host_memory_gb_per_rank: float | None = None

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if (self.host_memory_gb_per_node is None) != (self.host_memory_gb_per_rank is None):
            yield "host_memory_gb_per_rank", "is known together with host_memory_gb_per_node"

"""The formulas of checkpoint storage. Sizes are in bytes, times in seconds, throughput in bytes a second.

What they multiply with are rows of the catalog with source and doubt: ``checkpoint_states``, ``checkpoint_layouts``,
``lustre_performance``, ``storage_prices``, ``node_failure_rates``.
"""

from __future__ import annotations

import math

from msgspec import Struct

from neuron_cluster.catalog.checkpoint_layout import CheckpointLayout

GIB = 2**30
GB = 10**9
MB = 10**6
HOUR = 3600.0
MONTH = 30 * 24 * HOUR
"""Thirty days: the month of all monthly sums."""


class LostShares(Struct, frozen=True):
    """Shares of all node hours."""

    stalls: float
    repeated_steps: float
    restarts: float

    @property
    def total(self) -> float:
        """At most all of them; ``is_beyond_formula`` is true where it is cut."""
        return min(1.0, self._sum)

    @property
    def is_beyond_formula(self) -> bool:
        """Whether failures follow each other so fast that the parts add up to more than all time."""
        return self._sum >= 1

    @property
    def _sum(self) -> float:
        return self.stalls + self.repeated_steps + self.restarts


def checkpoint_bytes(parameters: float, bytes_per_parameter: float) -> float:
    """One copy of the state, whatever the data parallelism."""
    return parameters * bytes_per_parameter


def checkpoint_files(
    layout: CheckpointLayout, ranks: int, model_ranks: int, tensors_per_rank: int, tensors_per_weight: int
) -> int:
    """Files of one checkpoint. A model rank saves its tensors of weights, each rank those of its optimizer's state."""
    model = layout.files_per_model_rank + (tensors_per_rank if layout.per_tensor else 0)
    state = layout.files_per_rank + (tensors_per_rank * tensors_per_weight if layout.per_tensor else 0)
    return model_ranks * model + ranks * state + layout.files_per_checkpoint


def write_seconds(size: float, nodes: int, throughput: float, client_throughput: float) -> float:
    """To write or read a checkpoint: the file system or the network of each client is the limit."""
    return max(size / throughput, size / nodes / client_throughput)


def needed_capacity(size: float, kept: int, fill_limit: float) -> float:
    """Bytes of a file system for the kept checkpoints and the one that is written, at most so full."""
    return (kept + 1) * size / fill_limit


def needed_host_memory(size: float, nodes: int) -> float:
    """Bytes of a node for an asynchronous save: a copy of its part, and one more while it is written."""
    return 2 * size / nodes


def training_host_memory(layout: CheckpointLayout, ranks_per_node: int) -> float:
    """Bytes of a node for a training with asynchronous saves, in addition to the copies; 0 where no source has it."""
    return ((layout.host_memory_gb_per_node or 0) + (layout.host_memory_gb_per_rank or 0) * ranks_per_node) * GB


def mean_time_between_failures(nodes: int, rate_per_hour: float) -> float:
    """Returns the seconds between failures of a training that ends when one of its nodes does."""
    return HOUR / (nodes * rate_per_hour)


def young_interval(stall: float, mtbf: float) -> float:
    """The interval between checkpoints with the least loss (J. W. Young, 1974), good for a stall far below the MTBF."""
    return math.sqrt(2 * stall * mtbf)


def lost_shares(stall: float, interval: float, mtbf: float, restart: float, late: float = 0.0) -> LostShares:
    """Shares of the time that are lost (J. T. Daly, FGCS 22 (2006) 303). ``late``: from a save until it counts."""
    return LostShares(stall / interval, (interval / 2 + late) / mtbf, restart / mtbf)


def export_seconds(size: float, files: int, throughput: float, files_per_second: float) -> float:
    """Until automatic export has written a checkpoint to the bucket, where ``throughput`` is the share of exports."""
    return max(size / throughput, files / files_per_second)


def saves_per_month(interval: float) -> float:
    return MONTH / interval


def rotated_bytes(size: float, interval: float, days: int) -> float:
    """In a bucket where each checkpoint of a rotation stays for the days."""
    return size * days * 24 * HOUR / interval


def upload_requests(size: float, objects: int, part_size: float) -> int:
    """PUT requests of one checkpoint in multipart uploads: the parts, the start and the end of each object."""
    return objects * (math.ceil(size / objects / part_size) + 2)

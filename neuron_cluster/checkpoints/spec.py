"""The checkpoints of a training: size, interval, and the longest wait for a save."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.catalog.checkpoint_layout import CheckpointLayout
from neuron_cluster.catalog.checkpoint_state import CheckpointState
from neuron_cluster.checkpoints import arithmetic


class SaveMode(enum.StrEnum):
    """Whether the training waits for the file system, or only for a copy in host memory."""

    SYNC = "sync"
    ASYNC = "async"


class BucketRetention(Struct, frozen=True):
    """How long the bucket of the file system has a checkpoint that the training deletes."""

    expire_days: int | None
    """Of each checkpoint, after its write; None where it is deleted in the bucket when the training deletes it."""
    noncurrent_days: int
    """After that, as a noncurrent version."""


class CheckpointSpec(Struct, frozen=True, kw_only=True):
    """All values decided. Times are in seconds, memory in GiB."""

    parameters: float
    state: CheckpointState
    layout: CheckpointLayout
    nodes: int
    ranks_per_node: int
    model_ranks: int
    """Tensor x pipeline parallelism."""
    tensors_per_rank: int = 0
    """Tensors of weights of one model rank; needed by layouts with a file for each tensor."""
    mode: SaveMode
    interval: float | None
    """None: the one with the least loss."""
    stall: float
    """The longest that the training may wait for a save."""
    kept: int
    """Complete checkpoints on the file system."""
    golden_every: int | None = None
    """Every how many checkpoints one is copied to ``GOLDEN_PREFIX``."""
    golden_days: int | None = None
    """None: golden checkpoints never expire."""
    bucket: BucketRetention | None
    """Retention of the bucket that the file system exports to; None without one."""
    failures_per_hour: float
    """Failures of one node in an hour."""
    restart: float
    """From a failure until the programs run again, without reading the checkpoint."""
    host_memory_gib: int | None
    """Host memory of one node; None where it is not known."""

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node

    @property
    def size(self) -> float:
        """Bytes of one checkpoint."""
        return arithmetic.checkpoint_bytes(self.parameters, self.state.bytes_per_parameter)

    @property
    def files(self) -> int:
        per_weight = self.state.tensors_per_weight
        return arithmetic.checkpoint_files(self.layout, self.ranks, self.model_ranks, self.tensors_per_rank, per_weight)

    @property
    def bytes_per_rank(self) -> float | None:
        """About the size of the largest file; None where a layout has a file for each tensor."""
        return None if self.layout.per_tensor else self.size / self.ranks

    @property
    def mtbf(self) -> float:
        """Seconds between failures of any of the nodes."""
        return arithmetic.mean_time_between_failures(self.nodes, self.failures_per_hour)

    @property
    def staging_gib(self) -> float:
        """Host memory of a node that the copies of an asynchronous save take."""
        return arithmetic.needed_host_memory(self.size, self.nodes) / arithmetic.GIB

    @property
    def training_gib(self) -> float:
        """Host memory of a node that the training takes in addition to the copies; 0 where no source has it."""
        return arithmetic.training_host_memory(self.layout, self.ranks_per_node) / arithmetic.GIB

    @property
    def async_memory_gib(self) -> float:
        """Host memory of a node that a training with asynchronous saves takes."""
        return self.staging_gib + self.training_gib

"""Cost and risk of checkpoints on one file system, or in a bucket."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.checkpoints import arithmetic
from neuron_cluster.checkpoints.arithmetic import LostShares
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.spec import CheckpointSpec, SaveMode


class Shortfall(enum.StrEnum):
    """Why a file system does not take the checkpoints, or an interval or a node does not."""

    STALL = "stall"
    INTERVAL = "interval"
    CAPACITY = "capacity"
    HOST_MEMORY = "host_memory"


class RecoveryPoint(Struct, frozen=True):
    """Seconds of training that are lost, on average and at worst."""

    usual: float
    worst: float


class Assessment(Struct, frozen=True, kw_only=True):
    """Times in seconds."""

    target: FileSystem | DirectBucket
    write: float
    """Until a checkpoint is there, for good."""
    burst_write: float
    """While the disks burst."""
    creates: float
    """To create the files or objects."""
    stall: float
    interval: float
    young: float
    """The interval with the least loss."""
    lost: LostShares
    restore: float
    export: float | None
    """None without a file system that exports to a bucket."""
    process_lost: RecoveryPoint
    zone_lost: RecoveryPoint | None
    """None without a bucket: all of the training."""
    needed_capacity_gib: float
    shortfalls: tuple[Shortfall, ...]

    @property
    def file_system(self) -> FileSystem:
        """Raises LookupError for a bucket."""
        if isinstance(self.target, FileSystem):
            return self.target
        raise LookupError("the checkpoints are on no file system")


def assess(spec: CheckpointSpec, target: FileSystem | DirectBucket) -> Assessment:
    """All figures of one file system, or of a bucket."""
    write = arithmetic.write_seconds(spec.size, spec.nodes, target.write_throughput, target.client_throughput)
    creates = target.create_seconds(spec.size, spec.files)
    save = max(write, creates)
    stall = save if spec.mode is SaveMode.SYNC else spec.stall
    young = arithmetic.young_interval(stall, spec.mtbf)
    interval = spec.interval if spec.interval is not None else max(young, save)
    restore = arithmetic.write_seconds(spec.size, spec.nodes, target.read_throughput, target.client_throughput)
    restart = spec.restart + restore
    export = _export(spec, target)
    late = _late(spec, interval, save)
    process = RecoveryPoint(interval / 2 + late, interval + (late or save))
    return Assessment(
        target=target,
        write=write,
        burst_write=arithmetic.write_seconds(spec.size, spec.nodes, target.burst_throughput, target.client_throughput),
        creates=creates,
        stall=stall,
        interval=interval,
        young=young,
        lost=arithmetic.lost_shares(stall, interval, spec.mtbf, restart, late),
        restore=restore,
        export=export,
        process_lost=process,
        zone_lost=process if isinstance(target, DirectBucket) else _later(process, export),
        needed_capacity_gib=arithmetic.needed_capacity(spec.size, spec.kept, target.fill_limit) / arithmetic.GIB,
        shortfalls=tuple(_shortfalls(spec, target, save, young)),
    )


def _export(spec: CheckpointSpec, target: FileSystem | DirectBucket) -> float | None:
    if spec.bucket is None or isinstance(target, DirectBucket):
        return None
    files_per_second = target.performance.export_files_per_second
    return arithmetic.export_seconds(spec.size, spec.files, target.export_throughput, files_per_second)


def _late(spec: CheckpointSpec, interval: float, save: float) -> float:
    """From the stop of the training for a save until the save counts, while the training goes on."""
    if spec.mode is SaveMode.SYNC:
        return 0.0
    return interval if spec.layout.late_mark else save


def _later(point: RecoveryPoint, export: float | None) -> RecoveryPoint | None:
    return RecoveryPoint(point.usual + export, point.worst + export) if export is not None else None


def _shortfalls(spec: CheckpointSpec, target: FileSystem | DirectBucket, save: float, young: float) -> list[Shortfall]:
    found = []
    if arithmetic.needed_capacity(spec.size, spec.kept, target.fill_limit) > target.capacity:
        found.append(Shortfall.CAPACITY)
    if spec.mode is SaveMode.SYNC and save > spec.stall:
        found.append(Shortfall.STALL)
    if save > (spec.interval if spec.interval is not None else young):
        found.append(Shortfall.INTERVAL)
    if (
        spec.mode is SaveMode.ASYNC
        and spec.host_memory_gib is not None
        and spec.async_memory_gib > spec.host_memory_gib
    ):
        found.append(Shortfall.HOST_MEMORY)
    return found

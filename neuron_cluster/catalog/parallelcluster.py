"""AWS ParallelCluster: what the configuration of a release may hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class ParallelClusterRelease(SourcedRow, frozen=True, kw_only=True):
    """One release (``name`` is ``3.16.1``)."""

    slurm_version: str
    support_ends: date
    operating_systems: FrozenMap[str, str]
    """The value of ``Image/Os`` for each operating system of a DLAMI."""
    regions: tuple[str, ...]
    reserved_settings: FrozenMap[str, tuple[str, ...]]
    """Settings of slurm.conf in lower case that it rejects, by level: ``cluster``, ``group`` or ``queue``."""
    name_length: int
    """Characters of the name of a queue or compute resource, at most."""
    reserved_names: tuple[str, ...]
    """Names that no queue or compute resource can have."""
    queues: int
    compute_resources: int
    """The maximum number of compute resources of all queues."""
    root_volume_gib: int
    """The smallest root volume of a head node or compute node."""
    root_volume_iops: int
    """At most."""
    root_volume_throughput_mibps: int
    """At most."""
    tags: int
    tag_value: str
    """Pattern of the value of a tag."""
    reserved_tags: str
    """How the key of no tag may begin."""
    storage_name_length: int
    """Characters of the name of a shared storage, at most."""
    existing_efs: int
    """Mounts of existing EFS file systems, at most."""
    highest_priority: int
    """The highest priority of a node, which is the Weight of Slurm; the lowest is 1."""
    head_node_system_gib: float
    """Memory of a head node for the operating system."""
    head_node_nodes_per_gib: int
    """Compute nodes for each further GiB."""
    head_node_gib: int
    """Memory that is enough for any number of nodes."""

    def head_node_memory_gib(self, nodes: int) -> float:
        """Memory that a head node must have for this number of compute nodes."""
        return min(nodes / self.head_node_nodes_per_gib + self.head_node_system_gib, self.head_node_gib)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for settings in self.reserved_settings.values():
            for setting in settings:
                if setting != setting.lower():
                    yield "reserved_settings", f"{setting} is compared in lower case"

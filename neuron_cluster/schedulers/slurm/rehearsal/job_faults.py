"""Faults of a rehearsed job of Slurm; docs/rehearsal.md has what happens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from neuron_cluster.rehearsal.fault import HostFaultKind

SIGNALLED, CANCELLED, NODE_LOST, RANK_KILLED = "job-signalled", "job-cancelled", "node-lost", "rank-killed"
JOB_FAULTS: Mapping[str, HostFaultKind] = MappingProxyType(
    {
        SIGNALLED: HostFaultKind(),
        CANCELLED: HostFaultKind(),
        NODE_LOST: HostFaultKind(hits_pod=True),
        RANK_KILLED: HostFaultKind(hits_pod=True),
    }
)
"""Faults by name, as the command line has them."""

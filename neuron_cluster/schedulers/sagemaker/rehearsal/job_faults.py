"""Faults of a rehearsed training job; docs/rehearsal.md has what happens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from neuron_cluster.rehearsal.fault import HostFaultKind

STOPPED, KILLED, HOST_LOST, INTERRUPTED = "job-stopped", "host-killed", "host-lost", "spot-interrupted"
JOB_FAULTS: Mapping[str, HostFaultKind] = MappingProxyType(
    {
        STOPPED: HostFaultKind(),
        KILLED: HostFaultKind(hits_pod=True),
        HOST_LOST: HostFaultKind(hits_pod=True),
        INTERRUPTED: HostFaultKind(),
    }
)
"""Faults by name, as the command line has them."""

"""Which pods run on which node groups, as `schedule` prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.findings.finding import Finding


class UserManifests(Struct, frozen=True):
    """Objects of the user. ``name`` is that of the file or folder, ``files`` the name and objects of each file."""

    name: str
    files: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]


class PodSchedule(Struct, frozen=True):
    """The nodes, the results of the given workloads or of the software, and all findings."""

    nodes: tuple[NodeInfo, ...]
    results: tuple[SchedulingResult, ...]
    findings: tuple[Finding, ...]

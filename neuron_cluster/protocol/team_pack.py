"""All files of the hand-over pack of a team, as text by path, and what was decided about its jobs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team

README, PAGE, RUNBOOK = "README.md", "index.html", "runbook.md"


class CommandPlace(Struct, frozen=True):
    """``environment`` is the argument of commands; ``text`` states the folder and what it must have."""

    environment: str
    text: str


class PackJob(Struct, frozen=True, kw_only=True):
    """A job that has a file in the pack."""

    group: str
    queue: str | None
    nodes: int
    devices: int
    """Neuron devices of each node."""
    note: str
    namespace: str | None = None
    """None without Kubernetes."""


class MissingJob(Struct, frozen=True):
    """A job that the environment cannot run: ``reasons`` with what an administrator sets."""

    reasons: tuple[str, ...]


class Pack(Struct, frozen=True, kw_only=True):
    """``files`` by path in the folder, ``jobs`` by that of their file; ``findings`` are warnings about the jobs."""

    plan: ClusterPlan
    team: Team
    files: Mapping[str, str]
    jobs: Mapping[str, PackJob | MissingJob]
    findings: tuple[Finding, ...] = ()

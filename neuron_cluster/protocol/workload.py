"""A workload of a scheduler: named, listed, placed in an environment and rendered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.findings.finding import Finding
from neuron_cluster.protocol.submission import Submission


class Workload(Struct, frozen=True, kw_only=True):
    """A chart, job or definition that users run."""

    name: str
    """Unique among all schedulers."""
    fills_compile_cache: bool = False
    needed_options: str = ""
    """Options without which `workload submit` does not run it, in shell syntax."""


class MetNeed(Struct, frozen=True):
    """A component that a workload needs, and whether the environment has it."""

    switch: str
    when: str
    is_met: bool


class MatchingGroup(Struct, frozen=True):
    """A group that the workload runs on, and with which front ends."""

    group: str
    instance_type: str
    max_nodes: int | None
    """None: the group has no maximum."""
    front_ends: tuple[str, ...]
    requires: str | None = None
    """The option without which it does not run on the group, and what its value has to be."""


class ListedWorkload(Struct, frozen=True):
    """A workload in one environment, before amounts are looked at. ``why_not`` is for one without ``locations``."""

    chart: str
    description: str
    needs: tuple[MetNeed, ...]
    locations: tuple[MatchingGroup, ...]
    why_not: tuple[str, ...]


class Placement(Struct, frozen=True, kw_only=True):
    """Where a workload runs, with all options decided. Each scheduler adds what its own ``render`` reads."""

    workload: Workload
    group: str


class Rendered(Struct, frozen=True, kw_only=True):
    """A placed workload as files. With an error among ``findings`` nothing is printed, written or submitted."""

    text: str
    """Printed by `workload render`, or written to one file."""
    files: Mapping[str, str]
    """Written to a folder, by name."""
    document: Mapping[str, Any]
    """Printed by ``--format json``, without the findings."""
    submission: Submission | None
    """None where an option that it needs was not given, or for an error."""
    commands: tuple[str, ...] = ()
    """Shell commands that do the same as the submission."""
    notes: str = ""
    """Text for standard error."""
    findings: tuple[Finding, ...] = ()

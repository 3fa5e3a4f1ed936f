"""Nodes whose AMI is not built yet: their environment is planned, and no template of it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.commands import Command, render
from neuron_cluster.findings.finding import Finding, Location

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class MissingImage(Struct, frozen=True):
    """Where the file would have the AMI, what is missing, and how it gets there."""

    path: KeyPath
    message: str
    hint: str


def require_images(plan: ClusterPlan, display_name: str, commands: Mapping[Command, str]) -> None:
    """Raises ``InvalidEnvironment`` with E9563 where nodes have no AMI. ``commands`` are those of the file."""
    findings = list(_findings(plan, display_name, commands))
    if findings:
        raise InvalidEnvironment(findings)


def _findings(plan: ClusterPlan, display_name: str, commands: Mapping[Command, str]) -> Iterator[Finding]:
    for each in (missing for provider in plan.providers for missing in provider.missing_images()):
        hint = render(each.hint, commands)
        yield Finding("E9563", Location(display_name, path=format_path(each.path)), each.message, hint)

"""The stacks of an assembly with the time that their creation takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.cdk_cli import SIMULTANEOUS_STACKS
from neuron_cluster.timing.expected_time import ExpectedTime, expected_time
from neuron_cluster.timing.time_text import longest_steps, range_text
from neuron_cluster.timing.timed_stack import TimedStack, timed_stack


def timed_stacks(assembly: Path, catalog: Catalog, names: Collection[str] | None = None) -> list[TimedStack]:
    """Stacks of these names, in deploy order; without names all."""
    return [
        timed_stack(each.name, each.after, each.template, catalog)
        for each in read_assembly(assembly)
        if names is None or each.name in names
    ]


def expected_time_of(stacks: Sequence[TimedStack]) -> ExpectedTime:
    """As the CDK command deploys them."""
    return expected_time(stacks, SIMULTANEOUS_STACKS)


def expected_text(stacks: Sequence[TimedStack]) -> str:
    """``14 to 55 min; the longest on the critical path: AWS::EKS::Cluster 8 to 14 min``."""
    found = expected_time_of(stacks)
    longest = longest_steps(found)
    return range_text(found.seconds) + (f"; the longest on the critical path: {longest}" if longest else "")

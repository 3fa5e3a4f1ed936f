"""The stacks of an assembly with the time that their creation takes."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.cdk_cli import SIMULTANEOUS_STACKS
from neuron_cluster.timing.expected_time import ExpectedTime, expected_time
from neuron_cluster.timing.timed_stack import TimedStack, timed_stack


def timed_stacks(assembly: Path, catalog: Catalog, names: Collection[str] | None = None) -> list[TimedStack]:
    """Those of these names, in deploy order; without names all."""
    return [
        timed_stack(each.name, each.after, each.template, catalog.durations)
        for each in read_assembly(assembly)
        if names is None or each.name in names
    ]


def expected_time_of(stacks: list[TimedStack]) -> ExpectedTime:
    """As the CDK command deploys them."""
    return expected_time(stacks, SIMULTANEOUS_STACKS)

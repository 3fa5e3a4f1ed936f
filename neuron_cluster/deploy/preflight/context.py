"""The input of every preflight check."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.finding import Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.vcpu_use import VcpuUse

KeyPath = tuple[str | int, ...]


class PreflightContext(Struct, frozen=True):
    """The environment, the account that it is deployed to, and inputs of checks in addition to the plan."""

    plan: ClusterPlan
    destination: Destination
    locate: Callable[[KeyPath], Location]
    """The place of a key in the environment file."""
    catalog: Catalog
    vcpus: tuple[VcpuUse, ...] = ()
    qualifier: str = ""
    """The qualifier of the CDK bootstrap that the app expects."""
    lock_again: str = Command.LOCK
    """The command that writes the lock again."""

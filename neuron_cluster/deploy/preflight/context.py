"""The input of every preflight check."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.finding import Location
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.vcpu_use import VcpuUse

KeyPath = tuple[str | int, ...]
Locate = Callable[[KeyPath], Location]
"""The place of a key in the environment file."""


class PreflightContext(Struct, frozen=True):
    """The environment, the account that it is deployed to, and inputs of checks in addition to the plan."""

    plan: ClusterPlan
    destination: Destination
    locate: Locate
    catalog: Catalog
    vcpus: tuple[VcpuUse, ...] = ()
    qualifier: str = ""
    """The qualifier of the CDK bootstrap that the app expects."""
    lock_again: str = Command.LOCK
    """The command that writes the lock again."""
    placeholder_accounts: Collection[str] = ()
    """Accounts of documentation."""
    opened: OpenedEnvironment | None = None
    """The environment; None where no check reads its file and lock."""
    accepted_name: str | None = None
    """The name of a second environment that may be built after a rename."""

    @property
    def environment(self) -> OpenedEnvironment:
        """The opened environment. Raises ``TypeError`` where the context was made of a plan alone."""
        if self.opened is None:
            raise TypeError("this check reads the file and the lock, and the context has neither")
        return self.opened

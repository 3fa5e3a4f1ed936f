"""The protocol of a provider."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.protocol.address_edits import AddressEdits
from neuron_cluster.protocol.network_needs import NetworkNeeds

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.sections import SectionSpec
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.address_plan import AddressPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.plan.node_group_plan import NodeGroupPlan
    from neuron_cluster.plan.provider_plan import ProviderPlan
    from neuron_cluster.plan.stack_spec import StackSpec
    from neuron_cluster.protocol.export import Export
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.protocol.scheduler import Scheduler
    from neuron_cluster.protocol.upgrade_step import UpgradeStep
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class Provider:
    """One way to run compute groups. Every default adds nothing."""

    section: SectionSpec
    """Its section of the environment file: key, model, documentation, and its place among those of others."""
    rule_package: str | None = None
    """Dotted name of the package or module of its rules, which are discovered there; None without any."""
    has_rules_for_its_section_only: bool = False
    """Whether its rules, and those of its schedulers, find nothing in a file without its section.

    Then they are not imported for such a file.
    """
    change_package: str | None = None
    """The same of its change guards, and of the class that `diff` reads (``changes.source``)."""
    stacks: tuple[StackSpec, ...] = ()
    """Every stack that its section can have or ever had, in deploy order."""
    has_teams: bool = False
    """Whether `teams` are users of its cluster."""
    schedulers: tuple[Scheduler, ...] = ()
    """The schedulers that place workloads on its machines. Other providers may have the same objects."""
    export_formats: tuple[str, ...] = ()
    """Formats of `synth` in which it describes its section to another tool."""

    def schedulers_in(self, config: EnvironmentConfig) -> tuple[Scheduler, ...]:
        """The schedulers that place workloads on the machines of a file; none without its section."""
        return self.schedulers if getattr(config, self.section.key) is not None else ()

    def change_rows(self) -> tuple[ChangeRow, ...]:
        """The rows of the change table for every field of its section, in the order in which the page lists them."""
        return ()

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        """Yields its compute groups in the order of the file; none without the section."""
        yield from ()

    def network_needs(self, environment: ResolvedEnvironment, catalog: Catalog) -> NetworkNeeds:
        """Returns its needs of the VPC, before there is a plan; without the section those of the Region."""
        return NetworkNeeds()

    def node_groups(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> tuple[NodeGroupPlan, ...]:
        """Its compute groups that are nodes of the Kubernetes cluster, whichever provider has the control plane."""
        return ()

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> ProviderPlan | None:
        """Every decision about its section; None without the section."""
        return None

    def address_edits(self, plan: ClusterPlan, subnet: AddressPlan, catalog: Catalog) -> AddressEdits:
        """Edits for a subnet that has too few addresses."""
        return AddressEdits()

    def upgrade_steps(
        self, environment: ResolvedEnvironment, after: NeuronSdk, catalog: Catalog, lock: Lock | None
    ) -> Sequence[UpgradeStep]:
        """Returns what an upgrade to another Neuron SDK release leaves to the user; none without its section."""
        return ()

    def export(self, export_format: str, plan: ClusterPlan, catalog: Catalog) -> Export:
        """The files of one of ``export_formats``. Raises ``LookupError`` for any other."""
        raise LookupError(f"no export has the format {export_format}")

    def operations(self) -> Operations:
        """Returns the part that deploy, destroy and lock call; imported here, because it loads the AWS clients."""
        from neuron_cluster.protocol.operations import Operations

        return Operations()

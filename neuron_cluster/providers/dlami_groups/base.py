"""Defaults of a provider whose section is a list of groups that start from a DLAMI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from neuron_cluster.protocol.provider import Provider
from neuron_cluster.resolved.dlami_group import DlamiGroup, resolve_dlami_group

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
    from neuron_cluster.plan.compute_groups_plan import ComputeGroupsPlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DlamiGroupsProvider(Provider):
    """Base class. The model of its section has ``groups``, a list of ``DlamiMachine``."""

    group: ClassVar[type[DlamiGroup]]
    group_plan: ClassVar[type[ComputeGroupPlan]]

    def change_rows(self) -> tuple[ChangeRow, ...]:
        """Returns the rows of ``groups``; the provider adds the rows of its section and of its own keys."""
        from neuron_cluster.providers.dlami_groups.change_rows import dlami_group_rows

        return dlami_group_rows(f"{self.section.key}.groups")

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[DlamiGroup]:
        section = config.section(self.section.model)
        for position, spec in enumerate(getattr(section, "groups", ())):
            path = (self.section.key, "groups", position)
            yield resolve_dlami_group(self.group, path, spec, config, catalog)

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> ComputeGroupsPlan | None:
        from neuron_cluster.plan.compute_groups_plan import ComputeGroupsPlan
        from neuron_cluster.planning.build_dlami_group import build_dlami_group

        del network
        region, groups = environment.config.region, environment.groups_of(self.group)
        plans = tuple(build_dlami_group(self.group_plan, group, region, catalog, lock) for group in groups)
        return ComputeGroupsPlan(path=(self.section.key,), groups=plans) if plans else None

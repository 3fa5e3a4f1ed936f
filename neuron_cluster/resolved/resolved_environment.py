"""One environment with every default decided: what the rules of stage 1 and the plan read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct, field

from neuron_cluster.resolved.compute_group import ClusterGroup, ComputeGroup
from neuron_cluster.resolved.provenance import Provenances
from neuron_cluster.resolved.workstation import WorkstationGroup, resolve_workstations

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.repairs import Repairs

Group = TypeVar("Group", bound=ComputeGroup)


class ResolvedEnvironment(Struct, frozen=True):
    """The file as given, and its compute groups with their defaults."""

    config: EnvironmentConfig
    compute_groups: tuple[ComputeGroup, ...]
    """Compute groups of the providers first, then workstations, each in the order of the file."""
    provenances: Provenances = field(default_factory=Provenances)
    """Which of its values are given, defaults or repaired."""

    @property
    def repairs(self) -> Repairs:
        """Values that the toolkit put in the place of broken ones, to read on after a mistake."""
        return self.provenances.repairs

    @property
    def cluster_groups(self) -> tuple[ClusterGroup, ...]:
        """Compute groups that a provider scales."""
        return self.groups_of(ClusterGroup)

    @property
    def workstations(self) -> tuple[WorkstationGroup, ...]:
        return self.groups_of(WorkstationGroup)

    def groups_of(self, kind: type[Group]) -> tuple[Group, ...]:
        """Returns the groups of one kind, in the order of the file."""
        return tuple(group for group in self.compute_groups if isinstance(group, kind))

    def are_zones_known(self, group: ComputeGroup, catalog: Catalog) -> bool:
        """Whether each zone of the group is one of the Region's and the network's; else rules E1001 and E3002 speak."""
        known = catalog.regions.zone_ids(self.config.region)
        return all(zone in known and zone in self.config.network.zone_ids for zone in group.zone_ids)


class GroupSource(Protocol):
    """An owner of compute groups in its section of the file: a provider."""

    def compute_groups(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[ClusterGroup]:
        """Yields compute groups in the order of the file; none without the section."""


def resolve(
    config: EnvironmentConfig, catalog: Catalog, sources: Iterable[GroupSource], provenances: Provenances | None = None
) -> ResolvedEnvironment:
    """Decides every default once. Names that the catalog does not know stay unknown: rules report them."""
    scaled = (group for source in sources for group in source.compute_groups(config, catalog))
    groups = (*scaled, *resolve_workstations(config, catalog))
    return ResolvedEnvironment(config, groups, provenances or Provenances())

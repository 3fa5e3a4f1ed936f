"""Quotas of teams with the node groups that they are of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.schedulers.kubernetes.node_group import node_groups

if TYPE_CHECKING:
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.config.team import Team, TeamQuota
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
    from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup


class ListedQuota(Struct, frozen=True):
    """An item of ``teams[].quota`` with its place in the file."""

    path: KeyPath
    team: Team
    spec: TeamQuota


class GroupQuotas(Struct, frozen=True):
    """A Neuron node group and what teams have of it."""

    group: KubernetesNodeGroup
    devices_of_node: int
    quotas: tuple[ListedQuota, ...]

    @property
    def reserved(self) -> int:
        """Neuron devices of all teams together."""
        return sum(each.spec.devices for each in self.quotas)

    @property
    def at_maximum(self) -> int:
        """Neuron devices of the group at ``count.max``."""
        return self.devices_of_node * (self.group.scaling.maximum or 0)

    @property
    def running(self) -> int:
        """Neuron devices of the group at ``count.desired``."""
        return self.devices_of_node * self.group.scaling.desired

    @property
    def by_team(self) -> Mapping[str, int]:
        """Neuron devices by the name of the team."""
        return {each.team.name: each.spec.devices for each in self.quotas}


def listed_quotas(environment: ResolvedEnvironment) -> tuple[ListedQuota, ...]:
    """In the order of the file."""
    return tuple(
        ListedQuota(("teams", number, "quota", position), team, each)
        for number, team in enumerate(environment.config.teams)
        for position, each in enumerate(team.quota)
    )


def group_quotas(environment: ResolvedEnvironment) -> tuple[GroupQuotas, ...]:
    """Groups whose number of Neuron devices is known and that a quota names, in the order of the file."""
    quotas = listed_quotas(environment)
    found = (
        GroupQuotas(group, devices, tuple(each for each in quotas if each.spec.node_group == group.name))
        for group in node_groups(environment)
        if (devices := _devices_of_node(group))
    )
    return tuple(each for each in found if each.quotas)


def _devices_of_node(group: KubernetesNodeGroup) -> int | None:
    return group.instance_type.neuron_devices if group.is_neuron and group.instance_type is not None else None

"""IAM principals that the file gives access to the cluster: admins, viewers, then members and operators of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.providers.eks.config.cluster import Eks

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath


class ListedPrincipal(Struct, frozen=True):
    """An ARN with its place in the file."""

    path: KeyPath
    arn: str
    list_name: str
    """``admins``, ``viewers``, or ``members of research``."""
    team: str | None = None
    """Name of the team that it is a member or operator of."""


def listed_principals(config: EnvironmentConfig) -> tuple[ListedPrincipal, ...]:
    """In the order of the lists; none without an EKS cluster."""
    eks = config.section(Eks)
    if eks is None:
        return ()
    of_cluster = (
        ListedPrincipal(("eks", "access", name, position), arn, name)
        for name, principals in (("admins", eks.access.admins), ("viewers", eks.access.viewers))
        for position, arn in enumerate(principals)
    )
    of_teams = (
        ListedPrincipal(("teams", number, name, position), arn, f"{name} of {team.name}", team.name)
        for number, team in enumerate(config.teams)
        for name, principals in (("members", team.members), ("operators", team.operators))
        for position, arn in enumerate(principals)
    )
    return (*of_cluster, *of_teams)

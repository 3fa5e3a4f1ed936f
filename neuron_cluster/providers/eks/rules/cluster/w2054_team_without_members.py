"""Teams without members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class TeamWithoutMembers(ConfigRule):
    """A team has members (`teams[].members`, `teams[].permission_sets`, `teams[].operators`).

    Without this check AWS reports no error. The quota of the team is reserved, and only admins of the cluster can use
    its namespaces.
    """

    id = "W2054"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        if environment.config.section(Eks) is None:
            return
        for number, team in enumerate(environment.config.teams):
            if not (team.members or team.permission_sets or team.operators):
                yield Violation(
                    ("teams", number, "members"),
                    f"no members in {team.name}: only eks.access.admins can use the namespaces",
                    "write the ARNs of the IAM roles of its members, or names of permission sets into permission_sets",
                )

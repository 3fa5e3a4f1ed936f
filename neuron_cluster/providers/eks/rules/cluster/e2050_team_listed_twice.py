"""Duplicate teams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class TeamListedTwice(ConfigRule):
    """Every team is listed once (`teams`).

    Without this check CDK rejects two ClusterQueues with the same construct id.
    """

    id = "E2050"
    source = "https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html (construct ids are unique in their scope)"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        first: dict[str, int] = {}
        for number, team in enumerate(environment.config.teams):
            other = ("teams", first.setdefault(team.name, number))
            if other[1] != number:
                yield Violation(
                    ("teams", number, "name"),
                    f"{team.name} is already the name of {format_path(other)}",
                    "remove one of the two, or use another name",
                    related=(other,),
                )

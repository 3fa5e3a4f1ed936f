"""Every budget of the file: that of the environment, and those of teams."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.config.budget import Budget
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath


class FileBudget(Struct, frozen=True):
    """A budget with its place."""

    path: KeyPath
    budget: Budget
    team: str | None = None
    """None: the budget of the environment."""

    @property
    def owner(self) -> str:
        """The team, or the environment, in messages."""
        return self.team or "the environment"


def budgets_of(config: EnvironmentConfig) -> Iterator[FileBudget]:
    """Yields the budget of the environment, then those of teams, in the order of the file."""
    if config.budget is not None:
        yield FileBudget(("budget",), config.budget)
    for position, team in enumerate(config.teams):
        if team.budget is not None:
            yield FileBudget(("teams", position, "budget"), team.budget, team.name)

"""Who causes the cost: teams, Neuron instances without a team, and what the environment costs without any."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.cost.environment_cost import EnvironmentCost
from neuron_cluster.cost.model import BlockCost, CostLine, Sum, sum_of
from neuron_cluster.cost.team_parts import divided_blocks, divided_lines


class ShareKind(enum.Enum):
    """The common property of the lines of a share."""

    TEAM = "team"
    """Groups and workstations that name the team, their volumes and homes, and what its quotas guarantee of others."""
    SHARED = "shared"
    """Neuron instances of no team, and what no quota guarantees of those that teams share."""
    OVERHEAD = "overhead"
    """Everything else: what there is before the first Neuron instance runs."""


class Share(Struct, frozen=True, kw_only=True):
    """Each line and each block of an environment is in one share, or divided among shares by quotas."""

    kind: ShareKind
    name: str
    """Name of the team; else of the kind."""
    lines: tuple[CostLine, ...]
    blocks: tuple[BlockCost, ...] = ()

    @property
    def blocks_usd(self) -> Sum:
        """Paid once."""
        return sum_of([block.usd for block in self.blocks])


def shares(cost: EnvironmentCost) -> Iterator[Share]:
    """Teams in the order of the file; a share without lines and blocks is left out, but the overhead."""
    all_lines, all_blocks = tuple(divided_lines(cost.lines)), tuple(divided_blocks(cost.blocks))
    named: tuple[CostLine | BlockCost, ...] = (*all_lines, *all_blocks)
    for team in dict.fromkeys(each.team for each in named):
        if team is not None:
            lines = tuple(line for line in all_lines if line.team == team)
            blocks = tuple(block for block in all_blocks if block.team == team)
            yield Share(kind=ShareKind.TEAM, name=team, lines=lines, blocks=blocks)
    without = [line for line in all_lines if line.team is None]
    shared = tuple(line for line in without if line.is_neuron)
    blocks = tuple(block for block in all_blocks if block.team is None)
    if shared or blocks:
        yield Share(kind=ShareKind.SHARED, name=ShareKind.SHARED.value, lines=shared, blocks=blocks)
    overhead = tuple(line for line in without if not line.is_neuron)
    yield Share(kind=ShareKind.OVERHEAD, name=ShareKind.OVERHEAD.value, lines=overhead)

"""Teams in the plan: members, namespaces and quotas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from neuron_cluster.plan.team import Team, TeamQuota
from neuron_cluster.report.marks import Marks
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

COLUMNS = ("team", "members", "namespaces", "devices", "now", "borrow", "lend", "weight")
NOTE = (
    "members: IAM roles. devices: reserved at count.max of the node group; now: of them at count.desired. borrow and "
    "lend: devices at most, at count.max."
)


def team_tables(cluster: EksPlan, marks: Marks) -> list[Table]:
    """One table with a row for each team; none without teams."""
    rows = tuple(_row(team, cluster, marks) for team in cluster.teams)
    return [Table("Teams", COLUMNS, rows, NOTE)] if rows else []


def _row(team: Team, cluster: EksPlan, marks: Marks) -> tuple[str, ...]:
    return (
        team.name,
        "\n".join(arn.rpartition("/")[2] for arn in team.principals) or "none",
        "\n".join(team.namespaces),
        _lines([f"{each.devices:,} {each.node_group}" for each in team.quota], f"0{marks.mark((*team.path, 'quota'))}"),
        _lines([f"{_running(each, cluster):,}" for each in team.quota], "0"),
        _lines([_limit(each.borrow, each, "borrow", "any", marks) for each in team.quota], "any"),
        _lines([_limit(each.lend, each, "lend", "all", marks) for each in team.quota], "-"),
        f"{team.weight}{marks.mark((*team.path, 'weight'))}",
    )


def _lines(values: Sequence[str], empty: str) -> str:
    return "\n".join(values) or empty


def _running(quota: TeamQuota, cluster: EksPlan) -> int:
    group = next(each for each in cluster.node_groups if each.name == quota.node_group)
    return quota.devices * group.desired // group.known_maximum


def _limit(limit: int | None, quota: TeamQuota, key: str, default: str, marks: Marks) -> str:
    return f"{limit:,}" if limit is not None else f"{default}{marks.mark((*quota.path, key))}"

"""Workloads of all schedulers as `workload list` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.findings.text import listed as listed_names
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT
from neuron_cluster.protocol.workload import ListedWorkload, MatchingGroup
from neuron_cluster.table import Table

RUNS_ON = " runs on "
"""Before the group, in the message of E9207."""


def workloads_table(listed: Sequence[ListedWorkload], plan: ClusterPlan) -> Table:
    """Returns the table; what is missing is marked, where a cluster could have it."""
    cluster = plan.kubernetes
    rows = tuple(
        (f"{each.chart}\n{each.description}", _needs(each) if cluster is not None else "", _places(each))
        for each in listed
    )
    note = f"Enable components that are OFF by their flag in {cluster.key('addons')}." if cluster is not None else ""
    return Table(f"Workloads for {plan.name}", ("workload", "needs", "runs on"), rows, note)


def workloads_as_data(listed: Sequence[ListedWorkload]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "chart": each.chart,
            "description": each.description,
            "needs": [{"switch": need.switch, "when": need.when, "is_there": need.is_met} for need in each.needs],
            "node_groups": [
                {
                    "name": location.group,
                    "instance_type": location.instance_type,
                    "max_nodes": location.max_nodes,
                    "front_ends": list(location.front_ends),
                    "requires": location.requires,
                }
                for location in each.locations
            ],
            "why_not": list(each.why_not),
        }
        for each in listed
    ]


def _needs(listed: ListedWorkload) -> str:
    return "\n".join(f"{need.switch}: {'on' if need.is_met else f'OFF, needed {need.when}'}" for need in listed.needs)


def _places(listed: ListedWorkload) -> str:
    lines = [
        f"{location.group} ({location.instance_type}, {_limit(location)}): "
        f"{f'only with {location.requires}' if location.requires else ', '.join(location.front_ends)}".rstrip(": ")
        for location in listed.locations
    ]
    return "\n".join(lines or [f"nothing: {why}" for why in _folded(listed.why_not)])


def _folded(reasons: Sequence[str]) -> list[str]:
    """The reasons; those that differ in the group alone are one with all groups."""
    groups: dict[str, list[str]] = {}
    for reason in reasons:
        what, _, group = reason.partition(RUNS_ON)
        groups.setdefault(what, []).append(group)
    return [f"{what}{RUNS_ON if any(names) else ''}{listed_names(names)}" for what, names in groups.items()]


def _limit(location: MatchingGroup) -> str:
    return NO_LIMIT if location.max_nodes is None else f"up to {location.max_nodes}"

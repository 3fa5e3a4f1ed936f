"""Queues with the nodes that run their jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.pages.document import Paragraph, Section
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.plan.team import Team
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan, SlurmQueuePlan

COLUMNS = ("queue", "nodes", "instance type", "of a node", "now", "at most", "jobs have nodes for themselves")
DECIDED = ("Default", "OverSubscribe", "Exclusive")
"""Settings that the other columns show."""


def queues_section(slurm: SlurmCluster, team: Team) -> Section:
    return Section("Queues", tuple(_blocks(slurm, team)))


def _blocks(slurm: SlurmCluster, team: Team) -> Iterator[Paragraph | Table]:
    groups = {group.name: group for group in slurm.groups}
    rows = tuple(_row(queue, groups[name]) for queue in slurm.queues for name in queue.groups)
    note = "Now: nodes that run without jobs. Only an administrator changes their number."
    if slurm.idle_seconds is not None:
        note = (
            "Now: nodes that run without jobs. Others start for a job, which takes minutes, and end after "
            f"{slurm.idle_seconds // 60} minutes without one."
        )
    yield Table("Queues, which Slurm calls partitions", COLUMNS, rows, note)
    limits = tuple((f"`{queue.name}`", f"`{name}`", value) for queue, name, value in _settings(slurm))
    if limits:
        yield Table("Settings of queues", ("queue", "setting", "value"), limits)
    own = [group.name for group in slurm.groups if group.team == team.name]
    if own:
        yield Paragraph(f"The team pays for the nodes of {listed(own)}.")
    if slurm.has_accounting:
        yield Paragraph(
            "`sacctmgr show associations user=$USER` prints the account of the team and its limits, where an "
            "administrator has created one."
        )


def _row(queue: SlurmQueuePlan, group: SlurmNodesPlan) -> tuple[str, ...]:
    gres = group.gres
    return (
        f"`{queue.name}`" + (" (default)" if queue.is_default else ""),
        group.name + (f", of team {group.team}" if group.team is not None else ""),
        group.machine.instance_type,
        f"{gres.count} x `{gres.chip}`" if gres is not None else "no Neuron devices",
        str(group.min),
        str(group.max),
        "yes" if queue.has_whole_nodes else "no",
    )


def _settings(slurm: SlurmCluster) -> Iterator[tuple[SlurmQueuePlan, str, str]]:
    for queue in slurm.queues:
        yield from ((queue, name, value) for name, value in queue.settings.items() if name not in DECIDED)

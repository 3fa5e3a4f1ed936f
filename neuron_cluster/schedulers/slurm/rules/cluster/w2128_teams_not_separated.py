from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.queue_defaults import has_whole_nodes
from neuron_cluster.schedulers.slurm.section import SlurmInFile, slurm_in

EXCLUSIVE = "--exclusive"
"""The option of a job for whole nodes."""


class TeamsNotSeparated(Rule):
    """Several teams of a Slurm cluster share no access point of EFS, and no node at the same time.

    Teams are users of Linux. All clients of an access point are one user (`storage.efs`), so that each team reads and
    deletes the files of the others there. Jobs of a queue without `whole_nodes` run beside those of other teams: they
    reach ports of each other on the node, and files in /tmp and /dev/shm that are not private. Only a warning.

    Without this check teams rely on a separation that the cluster does not have.
    """

    id = "W2128"
    source = "https://docs.aws.amazon.com/efs/latest/ug/enforce-identity-access-points.html"
    proposes = ("whole_nodes",)

    def check(self, context: RuleContext) -> Violations:
        clusters, storage = tuple(slurm_in(context.environment)), context.environment.config.storage
        count = len(context.environment.config.teams)
        if not clusters or count < 2:  # noqa: PLR2004 - one team shares with no other
            return
        mounts_efs = any(slurm.section.mounts_efs for slurm in clusters)
        if mounts_efs and storage is not None and storage.efs is not None and storage.efs.access_points:
            yield Violation(
                ("storage", "efs", "access_points"),
                f"each of the {count} teams reads, changes and deletes all files of the access points on Slurm nodes",
                "keep files that teams share there, and others in their homes; or remove it",
            )
        for slurm in clusters:
            yield from _shared_nodes(slurm, count)


def _shared_nodes(slurm: SlurmInFile, teams: int) -> Violations:
    for position, queue in enumerate(slurm.section.queues):
        if not has_whole_nodes(queue, slurm.job_groups):
            setting = "set whole_nodes: true" if slurm.has_queue_list else f"users submit with {EXCLUSIVE}"
            yield Violation(
                slurm.queue_place(position),
                f"jobs of {teams} teams run on one node of the queue {queue.name} at the same time",
                f"{setting}, so that a job has its nodes for itself",
            )

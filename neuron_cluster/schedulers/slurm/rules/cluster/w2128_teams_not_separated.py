from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import has_whole_nodes
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


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
        slurm, storage = context.environment.config.section(Slurm), context.environment.config.storage
        count = len(context.environment.config.teams)
        if slurm is None or count < 2:  # noqa: PLR2004 - one team shares with no other
            return
        if storage is not None and storage.efs is not None and storage.efs.access_points:
            yield Violation(
                ("storage", "efs", "access_points"),
                f"each of the {count} teams reads, changes and deletes all files of the access points on Slurm nodes",
                "keep files that teams share there, and others in their homes; or remove it",
            )
        for position, queue in enumerate(slurm.queues):
            if not has_whole_nodes(queue, context.environment):
                yield Violation(
                    ("slurm", "queues", position),
                    f"jobs of {count} teams run on one node of the queue {queue.name} at the same time",
                    "set whole_nodes: true, so that a job has its nodes for itself",
                )

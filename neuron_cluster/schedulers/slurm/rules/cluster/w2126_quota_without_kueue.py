from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class QuotaWithoutKueue(Rule):
    """The quota of a team is not of a group of Slurm (`teams[].quota[].node_group`).

    Kueue applies quotas, on Kubernetes alone. In Slurm the team is a POSIX user, and limits are those of accounts
    (sacctmgr). Only a warning.

    Without this check AWS reports no error, and the team uses every device of the queue.
    """

    id = "W2126"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/; https://slurm.schedmd.com/resource_limits.html"

    def check(self, context: RuleContext) -> Violations:
        if context.environment.config.section(Slurm) is None:
            return
        names = {group.name for group in slurm_groups(context.environment)}
        for position, team in enumerate(context.environment.config.teams):
            for number, quota in enumerate(team.quota):
                if quota.node_group in names:
                    yield Violation(
                        ("teams", position, "quota", number),
                        f"{quota.node_group} is a group of slurm, where the quotas of teams do not apply",
                        "remove the quota, and limit the team with `sacctmgr` (docs/slurm.md)",
                    )

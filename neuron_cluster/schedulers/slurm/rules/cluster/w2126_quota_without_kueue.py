from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import slurm_in


class QuotaWithoutKueue(Rule):
    """The quota of a team is not of a group of Slurm (`teams[].quota[].node_group`).

    Kueue applies quotas, on Kubernetes alone. In Slurm the team is a POSIX user, and limits are those of accounts
    (sacctmgr). Only a warning.

    Without this check AWS reports no error, and the team uses every device of the queue.
    """

    id = "W2126"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/; https://slurm.schedmd.com/resource_limits.html"

    def check(self, context: RuleContext) -> Violations:
        keys = {group.name: group.provider for slurm in slurm_in(context.environment) for group in slurm.job_groups}
        for position, team in enumerate(context.environment.config.teams):
            for number, quota in enumerate(team.quota):
                name = quota.node_group
                if name in keys:
                    yield Violation(
                        ("teams", position, "quota", number),
                        f"{name} is a group of {keys[name]}, where the quotas of teams do not apply",
                        "remove the quota, and limit the team with `sacctmgr` (docs/slurm.md)",
                    )

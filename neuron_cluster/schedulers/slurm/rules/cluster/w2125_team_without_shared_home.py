from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import has_slurm


class TeamWithoutSharedHome(Rule):
    """Teams of a Slurm cluster have their home directories on a shared file system (`storage.lustre`).

    The home of a team is `/fsx/home/team-NAME`. Clients of an EFS access point are all one user, so that it cannot have
    the homes of several teams. Only a warning.

    Without this check each node has another home, which is deleted with it, and a job does not find its files.
    """

    id = "W2125"
    source = "https://docs.aws.amazon.com/efs/latest/ug/enforce-identity-access-points.html"
    proposes = ("lustre",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        has_lustre = config.storage is not None and config.storage.lustre is not None
        if config.teams and not has_lustre and has_slurm(context.environment):
            yield Violation(
                ("teams",),
                "the homes of teams are on the root volume of each Slurm node: no file system is shared",
                "add storage.lustre, or remove teams",
            )

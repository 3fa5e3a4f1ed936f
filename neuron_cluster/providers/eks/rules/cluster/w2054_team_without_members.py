from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TeamWithoutMembers(Rule):
    """A team has members (`teams[].members`, `teams[].permission_sets`, `teams[].operators`).

    Without this check AWS reports no error. The quota of the team is reserved, and only admins of the cluster can use
    its namespaces.
    """

    id = "W2054"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, context: RuleContext) -> Violations:
        if context.environment.config.section(Eks) is None:
            return
        for number, team in enumerate(context.environment.config.teams):
            if not (team.members or team.permission_sets or team.operators):
                yield Violation(
                    ("teams", number, "members"),
                    f"no members in {team.name}: only eks.access.admins can use the namespaces",
                    "write the ARNs of the IAM roles of its members, or names of permission sets into permission_sets",
                )

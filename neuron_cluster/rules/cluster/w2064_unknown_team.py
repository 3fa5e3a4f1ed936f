from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownTeam(Rule):
    """The team of a compute group or workstation is one of `teams`, where the file has any (`team`).

    Only a warning: people who do not use the cluster may have instances of their own.

    Without this check AWS reports no error. The instances have a tag of a team that has no access to the cluster.
    """

    id = "W2064"
    source = "https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/cost-alloc-tags.html"

    def check(self, context: RuleContext) -> Violations:
        known = [team.name for team in context.environment.config.teams]
        for group in context.environment.compute_groups if known else ():
            if group.team is not None and group.team not in known:
                yield Violation(
                    (*group.path, "team"),
                    f"the team of {group.name} is {group.team}, which is not in teams",
                    f"{did_you_mean_one_of(group.team, known)}write {listed(known, 'or')}, or remove team",
                )

from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class WeightZero(Rule):
    """The weight of a team is above 0 (`teams[].weight`).

    Without this check AWS reports no error. A ClusterQueue of weight 0 that borrows has the largest share of all: Kueue
    stops its jobs first, and jobs of other teams that wait go before.
    """

    id = "W2059"
    source = "https://kueue.sigs.k8s.io/docs/concepts/fair_sharing/"
    proposes = ("weight",)

    def check(self, context: RuleContext) -> Violations:
        if kubernetes_in(context.environment.config) is None:
            return
        for number, team in enumerate(context.environment.config.teams):
            if team.weight == 0:
                yield Violation(
                    ("teams", number, "weight"),
                    f"weight is 0: {team.name} gets idle devices only while no other team waits for them",
                    "set weight: 1, unless that is intended; the largest weight is 100",
                )

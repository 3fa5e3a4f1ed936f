from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_quotas import listed_quotas


class LendExceedsQuota(Rule):
    """A team lends at most the devices of its quota (`teams[].quota[].lend`).

    Without this check Kueue rejects the ClusterQueue, whose lendingLimit exceeds its nominalQuota, and the software
    stack rolls back.
    """

    id = "E2061"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#lendinglimit"
    proposes = ("lend",)

    def check(self, context: RuleContext) -> Violations:
        for each in listed_quotas(context.environment):
            lend, devices = each.spec.lend, each.spec.devices
            if lend is not None and lend > devices:
                yield Violation(
                    (*each.path, "lend"),
                    f"lend is {lend}, but the quota of {each.team.name} is {devices} devices",
                    f"write lend: {devices} or less, or remove lend, which lends all",
                )

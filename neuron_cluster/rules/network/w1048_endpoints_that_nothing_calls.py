from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class EndpointsThatNothingCalls(Rule):
    """Without NAT, the interface endpoints are those that the file calls (`network.endpoints`).

    A file without the key keeps what it has: every optional service too.

    Without this check each of them is billed by the hour in each zone, whether instances run or not.
    """

    id = "W1048"
    needs = Needs.PLAN
    source = "https://aws.amazon.com/privatelink/pricing/"

    def check(self, context: RuleContext) -> Violations:
        if context.plan.network.are_endpoints_chosen:
            return
        uncalled = [each.service for each in context.plan.network.endpoints if not (each.called_by or each.is_gateway)]
        if uncalled:
            zones = len(context.plan.network.subnets_of(SubnetTier.PRIVATE))
            yield Violation(
                ("network",),
                f"the file does not say which VPC endpoints there are: of {listed(uncalled)}, which nothing in it "
                f"calls, {len(uncalled) * zones} interfaces are billed by the hour",
                "set endpoints: needed, which deletes them; or endpoints: all, to keep them for programs of your own",
            )

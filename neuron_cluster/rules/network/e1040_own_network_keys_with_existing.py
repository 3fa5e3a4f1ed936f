from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

OF_OWN_NETWORK = ("cidr", "availability_zones", "nat", "secondary_cidrs")


class OwnNetworkKeysWithExisting(Rule):
    """With a VPC that exists, no key describes one that is created (`network.existing`).

    The address ranges, zones, gateways and routes of an existing VPC are those that it has; a deploy changes none.

    Without this check the keys have no effect: a file with `nat: single` would get no NAT gateway.
    """

    id = "E1040"
    source = "the design of this toolkit: nothing of an existing VPC is created or changed"

    def check(self, context: RuleContext) -> Violations:
        network = context.environment.config.network
        if network.existing is None:
            return
        for key in OF_OWN_NETWORK:
            if key in network.model_fields_set:
                yield Violation(
                    ("network", key),
                    f"network has existing and {key}; {key} describes a VPC that the environment creates",
                    f"remove {key}, or remove existing to create a VPC",
                )

from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SingleNatInAnotherZone(Rule):
    """A single NAT gateway is in a zone in which every Neuron node group can run (`network.nat`).

    It is created in the first zone of the network. Neuron images have 20 GB and more, and every node pulls them.

    Without this check AWS reports no error. Each image pull from a public registry crosses Availability Zones and is
    billed per gigabyte. When the first zone fails, nodes in the other zones cannot pull images.
    """

    id = "W1012"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-basics.html"
    proposes = ("availability_zone", "nat")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        zones = config.network.zone_ids
        if config.network.nat is not Nat.SINGLE or config.network.existing is not None:
            return
        for group in context.environment.cluster_groups:
            is_far = zones[0] not in group.zone_ids and set(group.zone_ids) <= set(zones)  # else rule E3002
            if group.is_neuron and is_far:
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.name} runs in {listed(group.zone_ids)}, but the single NAT gateway is in {zones[0]}",
                    f"set network.nat: per_zone, or availability_zone: {zones[0]} if {group.seller} offers the type "
                    "there",
                )

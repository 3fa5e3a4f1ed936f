from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class InstanceAddressesUnknown(Rule):
    """The interfaces and addresses of the instance type are known, so that subnets can be checked (`instance_type`).

    For other types rule E1010 counts one address per instance, the minimum, and none for its pods.

    Without this check neither AWS nor this toolkit reports an error, as if there were enough addresses.
    """

    id = "W1013"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html; numbers: the catalog's row"

    def check(self, context: RuleContext) -> Violations:
        for group in context.plan.node_groups:
            if group.node_addresses is None:
                yield Violation(
                    (*group.path, "instance_type"),
                    f"the addresses for the pods of {group.name} in {listed(group.zone_ids)} were not counted: the "
                    "catalog "
                    f"does not have the network interfaces and addresses of {group.machine.instance_type}",
                    "choose a larger network.cidr, which cannot be changed later",
                )

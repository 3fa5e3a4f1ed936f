from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class PodsPerNodeExceedsAddresses(Rule):
    """The pods per node do not exceed the addresses of a node (`pods_per_node`).

    One address per pod, up to the addresses of the interfaces of network card 0; with `eks.prefix_delegation` sixteen
    times as many; at most 110 (up to 29 vCPUs) or 250, the limit of EKS.

    Without this check the additional pods remain Pending, "Too many pods".
    """

    id = "E1015"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html"

    def check(self, context: RuleContext) -> Violations:
        eks = context.plan.kubernetes
        for group in eks.node_groups if eks is not None else ():
            node, node_group = group.node_addresses, group.pods_per_node
            if eks is None or node is None or node_group is None or node_group <= node.pods:
                continue
            more = not eks.prefix_delegation and node.pods_with_prefixes > node.pods_without_prefixes
            way = f", or set eks.prefix_delegation: true (then {node.pods_with_prefixes})" if more else ""
            yield Violation(
                (*group.path, "pods_per_node"),
                f"pods_per_node is {node_group}; {group.machine.instance_type} supports {node.pods}",
                f"write at most {node.pods}{way}",
            )

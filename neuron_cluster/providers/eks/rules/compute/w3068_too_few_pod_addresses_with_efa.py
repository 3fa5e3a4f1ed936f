from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class TooFewPodAddressesWithEfa(Rule):
    """An EFA layout leaves the VPC CNI the interfaces of network card 0 that the kubelet counts for pods (`efa`).

    The VPC CNI attaches interfaces only to card 0. The kubelet admits as many pods as all interfaces of that card have
    addresses for; an `efa-only` interface on it uses one of them and has no address. With prefix delegation the
    remaining interface has enough addresses.

    Without this check AWS reports no error. Pods that exceed the addresses are scheduled and remain in
    ContainerCreating, "failed to assign an IP address to container".
    """

    id = "W3068"
    needs = Needs.PLAN
    source = (
        "https://github.com/aws/amazon-vpc-cni-k8s: pkg/vpc/vpc_ip_resource_limit.go, pkg/awsutils/awsutils.go; "
        "https://github.com/aws/karpenter-provider-aws: pkg/providers/instancetype/types.go (subtracts such interfaces)"
    )

    def check(self, context: RuleContext) -> Violations:
        if context.plan.kubernetes is None or context.plan.kubernetes.prefix_delegation:
            return
        for group in context.plan.kubernetes.node_groups:
            row = context.catalog.instance_types.get(group.machine.instance_type)
            beside = sum(each.network_card_index == 0 for each in group.machine.interfaces[1:])
            if row is None or group.node_addresses is None or not beside or row.interfaces_per_card is None:
                continue
            yield Violation(
                (*group.path, "efa"),
                f"{group.name} has {1 + beside} of the {row.interfaces_per_card} interfaces that the first network "
                f"card of {row.name} supports, which leaves addresses for {group.node_addresses.pods_without_prefixes} "
                "pods; the kubelet admits more",
                "set eks.prefix_delegation: true; or efa: efa, which has an address on the first card's one interface",
            )

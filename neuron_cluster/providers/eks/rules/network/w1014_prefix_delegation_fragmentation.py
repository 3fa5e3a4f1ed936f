from __future__ import annotations

from neuron_cluster.plan.address_plan import AddressPlan
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class PrefixDelegationFragmentation(Rule):
    """With prefix delegation a subnet has enough unfragmented /28 blocks (`eks.prefix_delegation`).

    A prefix is a contiguous block of 16 addresses (a /28). EC2 assigns single addresses, for example the primary
    addresses of nodes, from anywhere in the subnet: in the worst case each fragments a block of its own. AWS does not
    document how EC2 chooses them.

    Without this check the VPC CNI logs InsufficientCidrBlocks, "The specified subnet does not have enough free cidr
    blocks to satisfy the request", while the subnet still has free addresses, and pods remain in ContainerCreating.
    """

    id = "W1014"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cni-increase-ip-addresses-procedure.html"

    def check(self, context: RuleContext) -> Violations:
        size = context.catalog.limits["vpc_cni_prefix_addresses"].require_minimum()
        subnet = max(context.plan.addresses, key=lambda each: _missing(each, size), default=None)
        if subnet is None or subnet.left < 0 or not _prefixes(subnet) or _missing(subnet, size) <= 0:
            return
        prefixes = _prefixes(subnet)
        yield Violation(
            ("eks", "prefix_delegation"),
            f"the subnet of {subnet.zone_id} ({subnet.cidr}) has {_blocks(subnet, size):,} blocks of {size}; "
            f"prefixes require {prefixes:,}, and {_single(subnet, size):,} single addresses may each fragment another "
            "one",
            "reserve a range for prefixes in each subnet before nodes start: `aws ec2 create-subnet-cidr-reservation "
            f"--reservation-type prefix --subnet-id SUBNET --cidr CIDR`, here of {prefixes * size:,} addresses or more",
        )


def _prefixes(subnet: AddressPlan) -> int:
    return sum(need.blocks for need in subnet.needs)


def _single(subnet: AddressPlan, size: int) -> int:
    return subnet.needed - _prefixes(subnet) * size


def _blocks(subnet: AddressPlan, size: int) -> int:
    return (subnet.has + size - 1) // size


def _missing(subnet: AddressPlan, size: int) -> int:
    """Missing blocks when each single address fragments one; without prefixes a number below all others."""
    prefixes = _prefixes(subnet)
    return prefixes + _single(subnet, size) - _blocks(subnet, size) if prefixes else -subnet.has

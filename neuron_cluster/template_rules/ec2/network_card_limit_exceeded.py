from __future__ import annotations

from collections import Counter

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.property_tree import at, text


class NetworkCardLimitExceeded(TemplateRule):
    """Network interfaces do not exceed the network cards of the instance type, nor the interfaces of a card."""

    id = "E8107"
    operation = "ec2:RunInstances"
    error_code = "AttachmentLimitExceeded"
    source = "EC2 DescribeInstanceTypes NetworkInfo.NetworkCards; counts: catalog/data/instance_types"
    references = (
        "terraform-aws-modules/terraform-aws-eks#2654",
        "hashicorp/terraform-provider-aws#24289",
        "hashicorp/terraform-provider-aws#24043",
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        name = text(at(context.resource.properties, "LaunchTemplateData", "InstanceType"))
        instance_type = context.catalog.instance_types.get(name) if name is not None else None
        if instance_type is None or instance_type.network_cards is None or instance_type.interfaces_per_card is None:
            return  # an unknown number cannot be exceeded
        interfaces = interfaces_of(context.resource)
        for interface in interfaces:
            if interface.card is not None and interface.card >= instance_type.network_cards:
                yield Violation(
                    f"{interface.path}.NetworkCardIndex",
                    f"is {interface.card}; {name} has network cards 0 to {instance_type.network_cards - 1}",
                    f"write a NetworkCardIndex from 0 to {instance_type.network_cards - 1}, or remove the interface",
                )
        for card, number in Counter(interface.card for interface in interfaces).items():
            if card is not None and number > instance_type.interfaces_per_card:
                yield Violation(
                    "LaunchTemplateData.NetworkInterfaces",
                    f"assigns {number} interfaces to network card {card}; {name} allows "
                    f"{instance_type.interfaces_per_card}",
                    _hint(number - instance_type.interfaces_per_card, instance_type.network_cards),
                    f"Interface count {number} exceeds the limit for {name}",
                )


def _hint(excess: int, cards: int) -> str:
    move = f"write another NetworkCardIndex, from 0 to {cards - 1}, for {excess} of them, or "
    return f"{move if cards > 1 else ''}remove {excess} of them"

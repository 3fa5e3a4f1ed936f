from __future__ import annotations

from collections import Counter

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import PLAIN, interfaces_of
from neuron_cluster.template_rules.property_tree import at, text


class EfaInterfaceLimitExceeded(TemplateRule):
    """EFA interfaces do not exceed what the instance type supports, with at most one on each network card.

    The catalog has the number for each instance type; small sizes of a family support none.
    """

    id = "E8106"
    operation = "ec2:RunInstances"
    error_code = "AttachmentLimitExceeded"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html; counts: catalog/data/instance_types"
    references = ("aws/aws-k8s-tester#522", "aws/aws-k8s-tester#572")
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        name = text(at(context.resource.properties, "LaunchTemplateData", "InstanceType"))
        instance_type = context.catalog.instance_types.get(name) if name is not None else None
        limit = instance_type.efa_interfaces if instance_type is not None else None
        efa = [interface for interface in interfaces_of(context.resource) if interface.is_efa]
        if limit is not None and len(efa) > limit:
            yield Violation(
                "LaunchTemplateData.NetworkInterfaces",
                f"lists {len(efa)} EFA interfaces; {name} supports {limit}",
                f"write InterfaceType: {PLAIN} for {len(efa) - limit} of them, or an InstanceType with {len(efa)} EFA "
                "interfaces",
            )
        for card, number in Counter(interface.card for interface in efa).items():
            if card is not None and number > 1:
                yield Violation(
                    "LaunchTemplateData.NetworkInterfaces",
                    f"assigns {number} EFA interfaces to network card {card}; a network card supports 1",
                    f"write another NetworkCardIndex or InterfaceType: {PLAIN} for all but one of them",
                )

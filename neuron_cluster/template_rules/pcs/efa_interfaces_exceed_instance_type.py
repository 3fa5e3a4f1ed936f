from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.pcs.compute_node_group import instance_types, launch_template_of
from neuron_cluster.template_rules.property_tree import at


class EfaInterfacesExceedInstanceType(TemplateRule):
    """The instance types of a compute node group have the EFA interfaces of its launch template (`InstanceConfigs`).

    PCS ignores the instance type of the launch template; where that has one, rule E8106 compares it.

    Without this check EC2 rejects every launch with AttachmentLimitExceeded, and the group never has a node.
    """

    id = "E8970"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_launch-templates.html; counts: "
        "catalog/data/instance_types"
    )
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        if template is None or at(template.properties, "LaunchTemplateData", "InstanceType") is not None:
            return
        used = sum(interface.is_efa for interface in interfaces_of(template))
        for position, name in enumerate(instance_types(context.resource)):
            row = context.catalog.instance_types.get(name)
            limit = row.efa_interfaces if row is not None else None
            if limit is not None and used > limit:
                yield Violation(
                    f"InstanceConfigs[{position}].InstanceType",
                    f"is {name}, which has {limit} EFA interfaces; {template.logical_id} lists {used}",
                    f"write an InstanceType with {used} EFA interfaces, or {limit} of them in NetworkInterfaces of the "
                    "launch template",
                )

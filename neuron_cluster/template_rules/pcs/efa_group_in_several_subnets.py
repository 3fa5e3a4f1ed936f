from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, items


class EfaGroupInSeveralSubnets(TemplateRule):
    """A compute node group with EFA interfaces or in a capacity block is in one subnet (`SubnetIds`).

    EFA traffic does not leave its subnet, and a capacity block is in one zone. PCS accepts several subnets.

    Without this check launches fail in the wrong zone, or a job with nodes in two subnets hangs.
    """

    id = "E8964"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_launch-templates.html; "
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html (limitations)"
    )
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        template, subnets = launch_template_of(resource, context.look_up), items(resource.properties.get("SubnetIds"))
        if template is None or len(subnets) <= 1:
            return
        has_efa = any(interface.is_efa for interface in interfaces_of(template))
        if has_efa or at(resource.properties, "PurchaseOption") == "CAPACITY_BLOCK":
            kind = "EFA interfaces" if has_efa else "a capacity block"
            yield Violation(
                "SubnetIds",
                f"lists {len(subnets)} subnets, but the group has {kind}, which requires one",
                "list one subnet, in an Availability Zone that offers the instance type",
            )

from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, text


class LaunchTemplateVersionLiteral(TemplateRule):
    """The version of a launch template follows its changes (`CustomLaunchTemplate`).

    Without this check AWS reports no error. PCS keeps the version: nodes never get a change of the launch template,
    such as the next capacity reservation.
    """

    id = "E8961"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "awslabs/awsome-distributed-ai@95b939c: architectures/aws-pcs"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        version = text(at(context.resource.properties, "CustomLaunchTemplate", "Version"))
        if version is not None and launch_template_of(context.resource, context.look_up) is not None:
            yield Violation(
                "CustomLaunchTemplate.Version",
                f"is {version}, which stays when the launch template changes",
                "write Fn::GetAtt of the launch template's LatestVersionNumber",
            )

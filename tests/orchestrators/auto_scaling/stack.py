"""Its stack: a launch template and an Auto Scaling group for each compute group."""

from __future__ import annotations

from aws_cdk import aws_autoscaling as autoscaling

from neuron_cluster.plan.core_stacks import NETWORK
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext


def build(context: StackContext) -> EnvironmentStack:
    plan, network = context.plan, context.stack(NETWORK, NetworkStack)
    stack = EnvironmentStack(context.scope, context.spec.stack_key, plan)
    for group in context.groups:
        name, ids = f"{plan.name}/{group.name}", network.security_group_ids
        tags = {"Name": name, **plan.launch_tags}
        template = NeuronLaunchTemplate(
            stack, f"LaunchTemplate {group.name}", group, security_group_ids=ids, launch_tags=tags
        ).resource
        autoscaling.CfnAutoScalingGroup(
            stack,
            f"Group {group.name}",
            auto_scaling_group_name=name,
            min_size=str(group.min),
            desired_capacity=str(group.desired),
            max_size=str(group.max),
            vpc_zone_identifier=network.private_subnet_ids(group.zone_ids),
            launch_template=autoscaling.CfnAutoScalingGroup.LaunchTemplateSpecificationProperty(
                launch_template_id=template.ref, version=template.attr_latest_version_number
            ),
        )
    return stack

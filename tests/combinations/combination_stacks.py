"""Stacks of launch templates and node groups on the real network stack of a Region, in one app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.synthesis import cdk_context
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

ROOT = Path(__file__).parents[2]
TEMPLATES_IN_A_STACK = 100
"""With 16 interfaces each and a placement group, they stay below the 500 resources and the 1 MB of a template."""
CLUSTER_GROUP = "ClusterGroup"
"""Parameter: the security group that EKS makes; the cluster itself is made by a call, after the network."""
CLUSTER = "combinations"
ON_NODES = (SecurityGroupRole.NODE, SecurityGroupRole.EFA, SecurityGroupRole.STORAGE_CLIENT)
Templates = Mapping[str, Mapping[str, Any]]
Groups = Sequence[NodeGroupPlan]


def synthesized(regions: Mapping[str, tuple[ClusterPlan, Groups, Groups]], folder: Path) -> Templates:
    """Templates by stack name in the order of deployment: of each Region the network, launch templates, node groups.

    For each Region a plan, which gives network and name, the groups whose machines become launch templates alone, and
    those that become node groups.
    """
    import aws_cdk as cdk

    app = cdk.App(outdir=str(folder), context=cdk_context(ROOT, CLUSTER), analytics_reporting=False)
    for plan, on_paper, with_nodes in regions.values():
        _stacks_of_region(app, plan, on_paper, with_nodes)
    return {stack.stack_name: stack.template for stack in app.synth().stacks}


def _stacks_of_region(app: Any, plan: ClusterPlan, on_paper: Groups, with_nodes: Groups) -> None:
    from stacks.environment_stack import tag_resources
    from stacks.network import NetworkStack

    network = NetworkStack(app, plan)
    tag_resources(network, plan)
    _tell_groups(network)
    for number, start in enumerate(range(0, len(on_paper), TEMPLATES_IN_A_STACK), 1):
        _template_stack(app, plan, f"templates-{number}", on_paper[start : start + TEMPLATES_IN_A_STACK], network)
    _node_group_stack(app, plan, with_nodes, network)


def _template_stack(app: Any, plan: ClusterPlan, stack_key: str, groups: Iterable[NodeGroupPlan], network: Any) -> None:
    from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate

    stack, security_group_ids = _stack_with_groups(app, plan, stack_key, network)
    for group in groups:
        tags = {"Name": group.name}
        NeuronLaunchTemplate(stack, group.name, group, security_group_ids=security_group_ids, launch_tags=tags)


def _node_group_stack(app: Any, plan: ClusterPlan, groups: Iterable[NodeGroupPlan], network: Any) -> None:
    from aws_cdk import aws_iam as iam

    from stacks.eks.neuron_node_group import NeuronNodeGroup

    stack, security_group_ids = _stack_with_groups(app, plan, "nodes", network)
    role = iam.Role(stack, "NodeRole", assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"))
    for group in groups:
        NeuronNodeGroup(
            stack,
            group,
            environment=plan.name,
            cluster_name=CLUSTER,
            kubernetes_version=plan.kubernetes.version if plan.kubernetes is not None else "",
            node_role_arn=role.role_arn,
            subnet_ids=[network.private_subnet_id(zone_id) for zone_id in group.zone_ids],
            security_group_ids=security_group_ids,
            launch_tags=plan.launch_tags,
        )


def _stack_with_groups(
    app: Any, plan: ClusterPlan, stack_key: str, network: Any
) -> tuple[Any, Mapping[SecurityGroupRole, str]]:
    """A stack, and the security groups that the interfaces in it get."""
    import aws_cdk as cdk

    from stacks.environment_stack import EnvironmentStack, tag_resources

    stack = EnvironmentStack(app, stack_key, plan)
    tag_resources(stack, plan)
    given = cdk.CfnParameter(stack, CLUSTER_GROUP, type="AWS::EC2::SecurityGroup::Id").value_as_string
    security_group_ids = {SecurityGroupRole.CLUSTER: given, **{role: network.group_id(role) for role in ON_NODES}}
    return stack, security_group_ids


def _tell_groups(network: Any) -> None:
    """The network's outputs tell the ids of its groups by role, for whoever reads back."""
    import aws_cdk as cdk

    for role in ON_NODES:
        cdk.CfnOutput(network, group_output(role), value=network.group_id(role))


def group_output(role: SecurityGroupRole) -> str:
    return f"Group{role.name.replace('_', '')}"

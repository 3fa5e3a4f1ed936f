"""A stack of managed node groups. Nodes become Ready because the cluster stack installed the CNI first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from neuron_cluster.providers.eks.stacks import CLUSTER
from stacks.constructs.acknowledgement import acknowledge_policies
from stacks.constructs.session_rights import acknowledge_sessions, session_policies
from stacks.eks.cluster import ClusterStack
from stacks.eks.image_cache_access import grant_pull_through
from stacks.eks.neuron_node_group import NeuronNodeGroup
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned


def build(context: StackContext) -> NodesStack:
    """The stack of node groups that the spec of the context names."""
    plan, stack_key = context.plan, context.spec.stack_key
    groups = planned(plan.provider(EksPlan)).group_stacks[stack_key]
    network, cluster = context.stack(NETWORK, NetworkStack), context.stack(CLUSTER, ClusterStack)
    return NodesStack(context.scope, stack_key, plan, groups, network, cluster)


class NodesStack(EnvironmentStack):
    """Launch templates and node groups, as many as fit in one template. Everything here is disposable.

    Each has a role of its own, so that none waits for another and a further one changes none.
    """

    def __init__(
        self,
        scope: Construct,
        stack_key: str,
        plan: ClusterPlan,
        groups: Sequence[ManagedNodeGroupPlan],
        network: NetworkStack,
        cluster: ClusterStack,
    ) -> None:
        super().__init__(scope, stack_key, plan)
        role = self._node_role(plan, cluster.node_policies)
        grant_pull_through(self, plan, role)
        of_cluster = {SecurityGroupRole.CLUSTER: cluster.cluster.cluster_security_group_id}
        security_group_ids = network.security_group_ids | of_cluster
        for group in groups:
            NeuronNodeGroup(
                self,
                group,
                environment=plan.name,
                cluster_name=cluster.name,
                kubernetes_version=cluster.version,
                node_role_arn=role.role_arn,
                subnet_ids=network.node_subnet_ids(group),
                security_group_ids=security_group_ids,
                launch_tags=plan.launch_tags,
            )

    def _node_role(self, plan: ClusterPlan, policies: Mapping[str, str]) -> iam.Role:
        role = iam.Role(
            self,
            "NodeRole",
            description="Nodes: kubelet, image pulls, Session Manager; pods get their own roles",
            assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in policies],
            inline_policies=session_policies(plan),
        )
        acknowledge_sessions(role, plan)
        acknowledge_policies(role, policies)
        return role

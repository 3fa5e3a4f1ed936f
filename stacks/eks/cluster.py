"""The cluster stack: control plane, who may enter, what nodes need before they can be Ready, and the one kubectl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.stacks import CLUSTER
from stacks.constructs.acknowledgement import (
    acknowledge,
    acknowledge_policies,
)
from stacks.constructs.key_statements import add_alias, alias_name, for_log_groups
from stacks.constructs.single_resource import single_resource
from stacks.eks.access_entries import add_access_entries
from stacks.eks.auto_mode import NODE_ROLE
from stacks.eks.cdk_generated_resources import acknowledge_cdk_generated_resources
from stacks.eks.control_plane import control_plane
from stacks.eks.image_cache_access import grant_pull_through
from stacks.eks.kubectl_function import grant_read_of_charts, kubectl_provider
from stacks.eks.log_group_keeper import LogGroupKeeper
from stacks.eks.managed_addon import ManagedAddon
from stacks.eks.placeholders import Placeholders
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned

FUNCTION_LOGS_DAYS = 30
CONTROL_PLANE_LOGS_DAYS = 90
AGENT_LOGS_DAYS = 30


def build(context: StackContext) -> ClusterStack:
    plan = context.plan
    return ClusterStack(context.scope, plan, planned(plan.provider(EksPlan)), context.stack(NETWORK, NetworkStack))


class ClusterStack(EnvironmentStack):
    """One EKS cluster without nodes."""

    def __init__(self, scope: Construct, plan: ClusterPlan, cluster_plan: EksPlan, network: NetworkStack) -> None:
        super().__init__(scope, CLUSTER.stack_key, plan)
        self._plan = plan
        self._eks = cluster_plan
        self._key = self._cluster_key()
        control_plane_logs = self._control_plane_logs()
        self.cluster = control_plane(self, cluster_plan, network, self._key, is_durable=plan.is_durable)
        self.name = self.cluster.cluster_name
        """The cluster's name, as a token; read once, because each call of CDK crosses to Node.js."""
        single_resource(self.cluster).add_resource_dependency(control_plane_logs)
        acknowledge(
            self.cluster,
            {
                "Annotation::@aws-cdk/aws-eks:clusterMustManuallyTagSubnet": "The network stack tags its subnets for "
                "load balancers itself."
            },
        )
        acknowledge_cdk_generated_resources(self.cluster)
        if cluster_plan.auto_mode:
            acknowledge_policies(self.cluster.role, self._eks.auto_mode_roles.cluster_policies)
        self._kubectl, self._kubectl_role = kubectl_provider(self, self.icluster)
        self._keep_logs_of_the_functions_short()
        add_access_entries(self, cluster_plan, self.name, plan.partition)
        grant_read_of_charts(self, self._kubectl_role, plan)
        without_storage = Placeholders(
            plan.partition, cluster_arn=cluster_plan.arn(plan.partition, plan.region, plan.account)
        )
        for addon in cluster_plan.addons:
            if addon.before_nodes:
                ManagedAddon(self, addon, without_storage, cluster_name=self.name)
        self._let_pull_through_cache()
        self._publish_contract()

    @property
    def icluster(self) -> eks.ICluster:
        """The cluster as charts and manifests require it (the library's Python types do not declare it)."""
        return cast("eks.ICluster", self.cluster)

    @property
    def version(self) -> str:
        """The Kubernetes version of the control plane."""
        return self._eks.version

    @property
    def node_policies(self) -> Mapping[str, str]:
        """AWS managed policies of the role of nodes, each with the reason for it."""
        return self._eks.node_policies

    def _cluster_key(self) -> kms.Key:
        key = kms.Key(
            self,
            "ClusterKey",
            description=f"Kubernetes secrets and control plane logs of {self._eks.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        # CloudFormation names the functions, and cuts what is long: their log groups are those of any function here.
        names = [f"/aws/eks/{self._eks.name}/*", "/aws/lambda/*"]
        if self._eks.agent_log_groups:
            names.append(f"/aws/containerinsights/{self._eks.name}/*")
        key.add_to_resource_policy(for_log_groups(self._plan, *names))
        add_alias(key, alias_name(self._plan, "cluster"))
        return key

    def _control_plane_logs(self) -> cdk.CfnResource:
        """Creates the log group before the cluster: EKS would create it without retention and without the key.

        EKS creates it again after the cluster too, so a log group of the stack would be there at the next deploy.
        The same is true of the groups of the CloudWatch agent, which come with it; the software's stack follows.
        """
        name = f"/aws/eks/{self._eks.name}/cluster"
        agent = self._eks.agent_log_groups
        keeper = LogGroupKeeper(self, "LogGroups", self._plan, log_groups=[name, *agent], key=self._key)
        for group in agent:
            keeper.keep(f"Agent {group.rpartition('/')[2]}", group, days=AGENT_LOGS_DAYS)
        return keeper.keep("ControlPlane", name, days=CONTROL_PLANE_LOGS_DAYS)

    def _keep_logs_of_the_functions_short(self) -> None:
        """CDK's function prints what it is called with, chart values too; CDK would keep that for two years without a
        key, and the log groups themselves permanently, so that each new cluster would leave two behind."""
        for construct in self.cluster.node.find_all():
            if isinstance(construct, logs.CfnLogGroup):
                construct.apply_removal_policy(cdk.RemovalPolicy.DESTROY)
                construct.retention_in_days = FUNCTION_LOGS_DAYS
                construct.kms_key_id = self._key.key_arn

    def _let_pull_through_cache(self) -> None:
        """The function pulls charts; nodes that Auto Mode starts pull images."""
        roles = (self._kubectl_role, self.node.try_find_child(NODE_ROLE))
        grant_pull_through(self, self._plan, *(cast("iam.IRole", role) for role in roles if role is not None))

    def _publish_contract(self) -> None:
        self.publish(self.name, self.cluster.cluster_security_group_id, self._kubectl.service_token)
        cdk.CfnOutput(self, "ClusterName", value=self.name, description="EKS cluster")
        cdk.CfnOutput(self, "ClusterEndpoint", value=self.cluster.cluster_endpoint, description="Kubernetes API")

"""The cluster stack: control plane, who may enter, what nodes need before they can be Ready, and the one kubectl."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping
from typing import cast

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from neuron_cluster.orchestrators.eks.plan.eks_plan import EksPlan
from neuron_cluster.orchestrators.eks.stacks import CLUSTER
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from stacks.constructs.acknowledgement import (
    acknowledge,
    acknowledge_policies,
    policy_of_one_role,
    wide_resource_findings,
)
from stacks.constructs.key_statements import add_alias, for_log_groups
from stacks.eks.auto_mode import NODE_ROLE, own_capacity
from stacks.eks.cdk_generated_resources import acknowledge_parts_of_cdk
from stacks.eks.image_cache_access import grant_pull_through
from stacks.eks.log_group_keeper import LogGroupKeeper
from stacks.eks.managed_addon import ManagedAddon
from stacks.eks.placeholders import Placeholders
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned

LOGS = {
    "api": eks.ClusterLoggingTypes.API,
    "audit": eks.ClusterLoggingTypes.AUDIT,
    "authenticator": eks.ClusterLoggingTypes.AUTHENTICATOR,
    "controller_manager": eks.ClusterLoggingTypes.CONTROLLER_MANAGER,
    "scheduler": eks.ClusterLoggingTypes.SCHEDULER,
}
"""By the words of the file."""


FUNCTION_LOGS_DAYS = 30
CONTROL_PLANE_LOGS_DAYS = 90
AGENT_LOGS_DAYS = 30


def build(context: StackContext) -> ClusterStack:
    plan = context.plan
    return ClusterStack(context.scope, plan, planned(plan.orchestrator(EksPlan)), context.stack(NETWORK, NetworkStack))


class ClusterStack(EnvironmentStack):
    """One EKS cluster without nodes."""

    def __init__(self, scope: Construct, plan: ClusterPlan, cluster_plan: EksPlan, network: NetworkStack) -> None:
        super().__init__(scope, CLUSTER.part, plan)
        self._plan = plan
        self._eks = cluster_plan
        self._key = self._cluster_key()
        control_plane_logs = self._control_plane_logs()
        self.cluster = self._control_plane(network)
        self.name = self.cluster.cluster_name
        """The cluster's name, as a token; read once, because each call of CDK crosses to Node.js."""
        _resource(self.cluster).add_resource_dependency(control_plane_logs)
        acknowledge(
            self.cluster,
            {
                "Annotation::@aws-cdk/aws-eks:clusterMustManuallyTagSubnet": "The network stack tags its subnets for "
                "load balancers itself."
            },
        )
        acknowledge_parts_of_cdk(self.cluster)
        if cluster_plan.auto_mode:
            acknowledge_policies(self.cluster.role, self._eks.auto_mode_roles.cluster_policies)
        self._kubectl, self._kubectl_role = self._kubectl_provider()
        self._keep_logs_of_the_functions_short()
        self._access_entries()
        self._let_kubectl_read_charts()
        without_storage = Placeholders(plan.partition)
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
        add_alias(key, self._plan, "cluster")
        return key

    def _control_plane_logs(self) -> cdk.CfnCustomResource:
        """There before the cluster: EKS would make the group without an end and without the key.

        EKS makes it anew after the cluster is gone too, so a log group of the stack would be there at the next deploy.
        The same is true of the groups of the CloudWatch agent, which come with it; the software's stack follows.
        """
        name = f"/aws/eks/{self._eks.name}/cluster"
        agent = self._eks.agent_log_groups
        keeper = LogGroupKeeper(self, "LogGroups", self._plan, log_groups=[name, *agent], key=self._key)
        for group in agent:
            keeper.keep(f"Agent {group.rpartition('/')[2]}", group, days=AGENT_LOGS_DAYS)
        return keeper.keep("ControlPlane", name, days=CONTROL_PLANE_LOGS_DAYS)

    def _control_plane(self, network: NetworkStack) -> eks.Cluster:
        vpc, subnets = self._network_of_cluster(network)
        cluster = eks.Cluster(
            self,
            "Cluster",
            cluster_name=self._eks.name,
            version=eks.KubernetesVersion.of(self._eks.version),
            vpc=vpc,
            vpc_subnets=[ec2.SubnetSelection(subnets=subnets)],
            security_group=self._imported_group(network, SecurityGroupRole.CONTROL_PLANE),
            service_ipv4_cidr=self._eks.service_cidr,
            endpoint_access=self._endpoint_access(),
            secrets_encryption_key=self._key,
            cluster_logging=[LOGS[each] for each in self._eks.control_plane_logs] or None,
            **own_capacity(self, self._eks),
            bootstrap_self_managed_addons=False,
            bootstrap_cluster_creator_admin_permissions=False,
            kubectl_provider_options=eks.KubectlProviderOptions(
                kubectl_layer=self._kubectl_layer(),
                private_subnets=subnets,
                security_groups=[self._imported_group(network, SecurityGroupRole.KUBECTL)],
            ),
        )
        if self._plan.is_durable:
            _resource(cluster).add_property_override("DeletionProtection", True)  # the L2 has no word for it
        return cluster

    def _keep_logs_of_the_functions_short(self) -> None:
        """CDK's function prints what it is called with, chart values too; CDK would keep that for two years without a
        key, and the log groups themselves permanently, so that each new cluster would leave two behind."""
        for construct in self.cluster.node.find_all():
            if isinstance(construct, logs.CfnLogGroup):
                construct.apply_removal_policy(cdk.RemovalPolicy.DESTROY)
                construct.retention_in_days = FUNCTION_LOGS_DAYS
                construct.kms_key_id = self._key.key_arn

    def _network_of_cluster(self, network: NetworkStack) -> tuple[ec2.IVpc, list[ec2.ISubnet]]:
        """The private subnets in which EKS may place the control plane's interfaces."""
        zones = [zone.zone_id for zone in network.network.zones if zone.holds_control_plane]
        subnet_ids = [network.private_subnet_id(zone) for zone in zones]
        vpc = ec2.Vpc.from_vpc_attributes(
            self,
            "Vpc",
            vpc_id=network.vpc_id,
            availability_zones=zones,
            private_subnet_ids=subnet_ids,
            private_subnet_route_table_ids=[network.private_routes_id(zone) for zone in zones],
        )
        return vpc, list(vpc.private_subnets)

    def _imported_group(self, network: NetworkStack, role: SecurityGroupRole) -> ec2.ISecurityGroup:
        """Not mutable: rules are written in the network stack and nowhere else."""
        return ec2.SecurityGroup.from_security_group_id(
            self, f"Group {role.value}", network.group_id(role), mutable=False, allow_all_outbound=False
        )

    def _endpoint_access(self) -> eks.EndpointAccess:
        if not self._eks.is_public:
            return eks.EndpointAccess.PRIVATE
        return eks.EndpointAccess.PUBLIC_AND_PRIVATE.only_from(*self._eks.public_access_cidrs)

    def _kubectl_layer(self) -> lambda_.ILayerVersion:
        """kubectl and helm of the cluster's own minor version, from the package that the plan names."""
        layer_class = getattr(importlib.import_module(self._eks.kubectl_layer_module), self._eks.kubectl_layer_class)
        layer: lambda_.ILayerVersion = layer_class(self, "KubectlLayer")
        return layer

    def _access_entries(self) -> None:
        for principals, policy in (
            (self._eks.admins, "AmazonEKSClusterAdminPolicy"),
            (self._eks.viewers, "AmazonEKSViewPolicy"),
        ):
            for principal in principals:
                eks.CfnAccessEntry(
                    self,
                    f"Access{hashlib.sha256(principal.encode()).hexdigest()[:8]}",
                    cluster_name=self.name,
                    principal_arn=principal,
                    access_policies=[
                        eks.CfnAccessEntry.AccessPolicyProperty(
                            policy_arn=f"arn:{self._plan.partition}:eks::aws:cluster-access-policy/{policy}",
                            access_scope=eks.CfnAccessEntry.AccessScopeProperty(type="cluster"),
                        )
                    ],
                )

    def _kubectl_provider(self) -> tuple[eks.IKubectlProvider, iam.IRole]:
        """The function that runs kubectl and helm, and its role."""
        provider = eks.KubectlProvider.get_kubectl_provider(self, self.icluster)
        role = provider.role if provider is not None else None
        if provider is None or role is None:
            raise RuntimeError("the cluster was made without a kubectl provider")
        return provider, role

    def _let_kubectl_read_charts(self) -> None:
        """Now, for all bundled charts to come: a grant at the first chart would change this stack then."""
        qualifier = self.synthesizer.bootstrap_qualifier or cdk.DefaultStackSynthesizer.DEFAULT_QUALIFIER
        assets = f"cdk-{qualifier}-assets-{self._plan.account}-{self._plan.region}"
        every_archive = f"arn:{self._plan.partition}:s3:::{assets}/*.zip"
        policy = iam.Policy(
            self,
            "ReadCharts",
            roles=[self._kubectl_role],
            statements=[
                iam.PolicyStatement(
                    actions=["s3:GetObject"],
                    resources=[every_archive],
                    # A stranger may have taken the bucket's name, and its charts would run as cluster admin.
                    conditions={"StringEquals": {"aws:ResourceAccount": self._plan.account}},
                )
            ],
        )
        wide = dict.fromkeys(
            wide_resource_findings(self, [every_archive]),
            "Each own chart is an archive of its own in the bootstrap bucket; the function only reads them, and no "
            "template.",
        )
        acknowledge(policy, wide | policy_of_one_role())

    def _let_pull_through_cache(self) -> None:
        """The function pulls charts; nodes that Auto Mode starts pull images."""
        roles = (self._kubectl_role, self.node.try_find_child(NODE_ROLE))
        grant_pull_through(self, self._plan, *(cast("iam.IRole", role) for role in roles if role is not None))

    def _publish_contract(self) -> None:
        self.publish(self.name, self.cluster.cluster_security_group_id, self._kubectl.service_token)
        cdk.CfnOutput(self, "ClusterName", value=self.name, description="EKS cluster")
        cdk.CfnOutput(self, "ClusterEndpoint", value=self.cluster.cluster_endpoint, description="Kubernetes API")


def _resource(construct: Construct) -> cdk.CfnResource:
    """The one CloudFormation resource of a construct."""
    resource = construct.node.default_child
    if not isinstance(resource, cdk.CfnResource):
        raise TypeError(f"{construct.node.path} is no single resource")
    return resource

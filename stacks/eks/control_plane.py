"""The EKS control plane: where its network interfaces are, who reaches its endpoint, what it logs."""

from __future__ import annotations

import importlib

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_

from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from stacks.constructs.single_resource import single_resource
from stacks.eks.auto_mode import own_capacity
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack

NO_ROUTE_TABLE = "@aws-cdk/aws-ec2:noSubnetRouteTableId"
LOGS = {
    "api": eks.ClusterLoggingTypes.API,
    "audit": eks.ClusterLoggingTypes.AUDIT,
    "authenticator": eks.ClusterLoggingTypes.AUTHENTICATOR,
    "controller_manager": eks.ClusterLoggingTypes.CONTROLLER_MANAGER,
    "scheduler": eks.ClusterLoggingTypes.SCHEDULER,
}
"""Log types by the words of the file."""


def control_plane(
    stack: EnvironmentStack, plan: EksPlan, network: NetworkStack, key: kms.IKey, *, is_durable: bool
) -> eks.Cluster:
    """The cluster, with the function that runs kubectl and helm. ``key`` encrypts Kubernetes secrets."""
    vpc, subnets = _network_of_cluster(stack, network)
    cluster = eks.Cluster(
        stack,
        "Cluster",
        cluster_name=plan.name,
        version=eks.KubernetesVersion.of(plan.version),
        vpc=vpc,
        vpc_subnets=[ec2.SubnetSelection(subnets=subnets)],
        security_group=_imported_group(stack, network, SecurityGroupRole.CONTROL_PLANE),
        service_ipv4_cidr=plan.service_cidr,
        endpoint_access=_endpoint_access(plan),
        secrets_encryption_key=key,
        cluster_logging=[LOGS[each] for each in plan.control_plane_logs] or None,
        **own_capacity(stack, plan),
        bootstrap_self_managed_addons=False,
        bootstrap_cluster_creator_admin_permissions=False,
        kubectl_provider_options=eks.KubectlProviderOptions(
            kubectl_layer=_kubectl_layer(stack, plan),
            private_subnets=subnets,
            security_groups=[_imported_group(stack, network, SecurityGroupRole.KUBECTL)],
        ),
    )
    if is_durable:
        single_resource(cluster).add_property_override("DeletionProtection", True)  # the L2 has no word for it
    return cluster


def _network_of_cluster(stack: EnvironmentStack, network: NetworkStack) -> tuple[ec2.IVpc, list[ec2.ISubnet]]:
    """The private subnets in which EKS may place the control plane's interfaces."""
    zones = [zone.zone_id for zone in network.network.zones if zone.holds_control_plane]
    subnet_ids = [network.private_subnet_id(zone) for zone in zones]
    vpc = ec2.Vpc.from_vpc_attributes(
        stack,
        "Vpc",
        vpc_id=network.vpc_id,
        availability_zones=zones,
        private_subnet_ids=subnet_ids,
        private_subnet_route_table_ids=network.private_routes_ids(zones),
    )
    subnets = list(vpc.private_subnets)
    if network.network.existing is not None:
        for subnet in subnets:
            cdk.Annotations.of(subnet).acknowledge_warning(NO_ROUTE_TABLE, "Nothing adds a route to a VPC that exists.")
    return vpc, subnets


def _imported_group(stack: EnvironmentStack, network: NetworkStack, role: SecurityGroupRole) -> ec2.ISecurityGroup:
    """Not mutable: rules are written in the network stack and nowhere else."""
    return ec2.SecurityGroup.from_security_group_id(
        stack, f"Group {role.value}", network.group_id(role), mutable=False, allow_all_outbound=False
    )


def _endpoint_access(plan: EksPlan) -> eks.EndpointAccess:
    if not plan.is_public:
        return eks.EndpointAccess.PRIVATE
    return eks.EndpointAccess.PUBLIC_AND_PRIVATE.only_from(*plan.public_access_cidrs)


def _kubectl_layer(stack: EnvironmentStack, plan: EksPlan) -> lambda_.ILayerVersion:
    """kubectl and helm of the cluster's own minor version, from the package that the plan names."""
    layer_class = getattr(importlib.import_module(plan.kubectl_layer_module), plan.kubectl_layer_class)
    layer: lambda_.ILayerVersion = layer_class(stack, "KubectlLayer")
    return layer

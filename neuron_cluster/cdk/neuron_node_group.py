"""A managed node group of Neuron instances in an EKS cluster that exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.cdk.invalid_parameters import InvalidParameters
from neuron_cluster.cdk.neuron_network import NeuronNetwork
from neuron_cluster.cdk.planned_machine import node_policies, planned_machine
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from stacks.constructs.acknowledgement import acknowledge_policies
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate as PlannedLaunchTemplate
from stacks.eks.neuron_node_group import managed_node_group


class NeuronNodeGroup(Construct):
    """A managed node group with the Neuron AMI, all EFA interfaces, the taint aws.amazon.com/neuron and node repair.

    The cluster needs the Neuron device plugin, and the EFA device plugin for instance types with EFA. Nodes hold no
    data: all of it is deleted with the stack.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        cluster: eks.ICluster,
        name: str,
        instance_type: str,
        count: Mapping[str, int],
        network: NeuronNetwork | None = None,
        subnet_ids: Mapping[str, str] | None = None,
        security_group_ids: Sequence[str] = (),
        efa_security_group_id: str | None = None,
        node_role_arn: str | None = None,
        tags: Mapping[str, str] | None = None,
        capacity: Mapping[str, str] | None = None,
        availability_zone: str | None = None,
        placement: str | None = None,
        efa: str | None = None,
        logical_nc_config: int | None = None,
        local_disks: str | None = None,
        root_volume: Mapping[str, int] | None = None,
        labels: Mapping[str, str] | None = None,
        taints: Sequence[Mapping[str, str]] | None = None,
        fast_image_pull: bool | None = None,
        ami_release: str | None = None,
        node_repair: bool | None = None,
    ) -> None:
        """Nodes are in the private subnets of ``network``, or in ``subnet_ids``: the id of a subnet by zone id.

        ``cluster`` has ``cluster_name`` and ``cluster_security_group_id``: one of this app, or
        ``eks.Cluster.from_cluster_attributes``. Names that environment files have mean what they mean there.
        """
        super().__init__(scope, construct_id)
        spec = {
            "name": name,
            "instance_type": instance_type,
            "count": count,
            "capacity": capacity,
            "availability_zone": availability_zone,
            "placement": placement,
            "efa": efa,
            "logical_nc_config": logical_nc_config,
            "local_disks": local_disks,
            "root_volume": root_volume,
            "labels": labels,
            "taints": taints,
            "fast_image_pull": fast_image_pull,
            "ami_release": ami_release,
            "node_repair": node_repair,
        }
        subnets = self._subnets(network, subnet_ids)
        efa_group = efa_security_group_id or (network.efa_security_group.security_group_id if network else None)
        plan = planned_machine(self, spec, list(subnets), efa_group)
        template = PlannedLaunchTemplate(
            self,
            "LaunchTemplate",
            plan,
            security_group_ids={SecurityGroupRole.EFA: efa_group or ""},
            further_security_group_ids=[cluster.cluster_security_group_id, *security_group_ids],
            launch_tags={"Name": name, **(tags or {})},
        ).resource
        self.launch_template_id = template.ref
        """As a token."""
        self.node_role_arn = node_role_arn or self._node_role().role_arn
        """ARN of the role of the nodes, as a token where it was created."""
        group = managed_node_group(
            self,
            plan,
            template,
            name=None,
            cluster_name=cluster.cluster_name,
            kubernetes_version=None,
            node_role_arn=self.node_role_arn,
            subnet_ids=[subnets[zone_id] for zone_id in plan.zone_ids],
        )
        for route_or_endpoint in network.connectivity if network is not None else ():
            group.add_resource_dependency(route_or_endpoint)  # before them nodes cannot join
        self.node_group_name = group.attr_nodegroup_name
        """As CloudFormation generates it, as a token."""

    def _subnets(self, network: NeuronNetwork | None, subnet_ids: Mapping[str, str] | None) -> Mapping[str, str]:
        """Returns the ids of subnets, by zone id."""
        if network is not None and subnet_ids is None:
            return network.private_subnet_ids
        if subnet_ids and network is None:
            return subnet_ids
        given = "both network and subnet_ids are" if subnet_ids and network else "neither network nor subnet_ids is"
        raise InvalidParameters(self, [(f"{given} set", "pass one of them")])

    def _node_role(self) -> iam.Role:
        policies = node_policies()
        role = iam.Role(
            self,
            "NodeRole",
            description="Nodes: kubelet, image pulls, Session Manager; pods get their own roles",
            assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in policies],
        )
        acknowledge_policies(role, policies)
        return role

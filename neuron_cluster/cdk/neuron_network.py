"""A VPC for Neuron instances."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.cdk.efa_security_group import EfaSecurityGroup
from neuron_cluster.cdk.key_policies import logs_of_stack
from neuron_cluster.cdk.planned_parameters import planned_parameters
from stacks.constructs.flow_log import FlowLog
from stacks.constructs.security_group_rules import NO_EGRESS, security_group
from stacks.constructs.vpc import Vpc
from stacks.constructs.vpc_endpoint import vpc_endpoint


class NeuronNetwork(Construct):
    """A VPC with a private subnet in each zone, NAT gateways with public subnets, VPC endpoints, and flow logs.

    The private subnets are large: each has an eighth of the VPC, because every EFA instance and pod takes addresses.
    Addresses depend on the position of a zone: append zones, do not reorder them.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        availability_zones: Sequence[str],
        cidr: str,
        nat: str | None = None,
        endpoints: Sequence[str] | None = None,
    ) -> None:
        """The parameters are the keys of `network` in an environment file."""
        super().__init__(scope, construct_id)
        section = {"cidr": cidr, "availability_zones": availability_zones, "nat": nat, "endpoints": endpoints}
        plan = planned_parameters(self, {"network": section}, ("network",), availability_zones).network
        vpc = Vpc(self, plan, self.node.path)
        self.vpc_id = vpc.vpc_id
        """As a token."""
        self.private_subnet_ids = dict(vpc.private_subnet_ids)
        """Subnet ids, as tokens, by zone id."""
        self.endpoint_security_group_id = self._endpoint_group(cidr)
        """Admits HTTPS from the VPC; as a token."""
        endpoints_made = [
            vpc_endpoint(
                self,
                endpoint,
                vpc_id=self.vpc_id,
                subnet_ids=self.private_subnet_ids.values(),
                route_table_ids=vpc.route_table_ids.values(),
                security_group_id=self.endpoint_security_group_id,
            )
            for endpoint in plan.endpoints
        ]
        self.connectivity: tuple[cdk.CfnResource, ...] = (*vpc.private_routes, *endpoints_made)
        """Routes and endpoints: instances in the private subnets reach AWS APIs once these exist."""
        self.efa_security_group = EfaSecurityGroup(self, "Efa", vpc_id=self.vpc_id)
        """The security group of all instances in the VPC that exchange EFA traffic."""
        FlowLog(self, "FlowLog", vpc_id=self.vpc_id, described=self.node.path, for_logs=logs_of_stack(self))

    def _endpoint_group(self, cidr: str) -> str:
        group_id = security_group(
            self, "EndpointGroup", vpc_id=self.vpc_id, purpose="Interface endpoints of the VPC", egress=NO_EGRESS
        )
        ec2.CfnSecurityGroupIngress(
            self,
            "EndpointGroupFromVpc",
            group_id=group_id,
            cidr_ip=cidr,
            ip_protocol="tcp",
            description="From the VPC",
            from_port=443,
            to_port=443,
        )
        return group_id

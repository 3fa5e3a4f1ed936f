"""A VPC endpoint from its plan."""

from __future__ import annotations

from collections.abc import Iterable

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.network_plan import EndpointPlan


def vpc_endpoint(
    scope: Construct,
    plan: EndpointPlan,
    *,
    vpc_id: str,
    subnet_ids: Iterable[str],
    route_table_ids: Iterable[str],
    security_group_id: str,
) -> ec2.CfnVPCEndpoint:
    """A gateway endpoint takes the route tables, an interface endpoint the subnets and the security group."""
    if plan.is_gateway:
        return ec2.CfnVPCEndpoint(
            scope,
            f"Endpoint {plan.service}",
            vpc_id=vpc_id,
            service_name=plan.service_name,
            vpc_endpoint_type="Gateway",
            route_table_ids=list(route_table_ids),
        )
    return ec2.CfnVPCEndpoint(
        scope,
        f"Endpoint {plan.service}",
        vpc_id=vpc_id,
        service_name=plan.service_name,
        vpc_endpoint_type="Interface",
        private_dns_enabled=True,
        subnet_ids=list(subnet_ids),
        security_group_ids=[security_group_id],
    )

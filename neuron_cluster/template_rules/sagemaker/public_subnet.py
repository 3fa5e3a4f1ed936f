from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, subnets_of
from neuron_cluster.template_rules.template_resource import TemplateResource

ASSOCIATION, ROUTE, GATEWAY = "AWS::EC2::SubnetRouteTableAssociation", "AWS::EC2::Route", "AWS::EC2::InternetGateway"


class PublicSubnet(TemplateRule):
    """Subnets of a HyperPod cluster have no route to an internet gateway (`VpcConfig`, `OverrideVpcConfig`).

    Network interfaces of HyperPod nodes have private addresses only, so that such a route gives them no way out.
    Subnets and routes outside of the templates are not checked.

    Without this check nodes reach neither ECR nor S3 unless the VPC has endpoints for them, and the cluster ends in
    Failed: instance bootstrap failed due to network misconfiguration.
    """

    id = "E8941"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html; awslabs/agent-plugins"
        "@ef84ee3: plugins/sagemaker-ai/skills/hyperpod-cluster-debugger/references/cloudformation-errors.md"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        look_up = context.look_up
        for path, subnet in subnets_of(context.resource, look_up):
            route = _route_to_internet(subnet, look_up)
            if route is not None:
                yield Violation(
                    path,
                    f"{subnet.logical_id} is a public subnet: {route.logical_id} is a route to an internet gateway",
                    "write a private subnet, whose route to the internet has a NAT gateway",
                )


def _route_to_internet(subnet: TemplateResource, look_up: LookUp) -> TemplateResource | None:
    tables = [
        look_up.referred(association.properties.get("RouteTableId"))
        for association in look_up.resources(ASSOCIATION)
        if look_up.referred(association.properties.get("SubnetId")) is subnet
    ]
    for route in look_up.resources(ROUTE):
        table = look_up.referred(route.properties.get("RouteTableId"))
        gateway = look_up.referred(route.properties.get("GatewayId"))
        if gateway is not None and gateway.type_name == GATEWAY and any(table is each for each in tables):
            return route
    return None

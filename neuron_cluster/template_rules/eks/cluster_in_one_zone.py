from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.cluster_subnets import subnet_zones


class ClusterInOneZone(TemplateRule):
    """The subnets of an EKS cluster are in at least two Availability Zones (`SubnetIds`)."""

    id = "E8216"
    operation = "eks:CreateCluster"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        minimum = context.catalog.limits["eks_control_plane_subnets"].require_minimum()
        zones = [zone_id for _, zone_id in subnet_zones(context.resource, context.look_up)]
        if zones and None not in zones and len(set(zones)) < minimum:
            yield Violation(
                "ResourcesVpcConfig.SubnetIds",
                f"the number of Availability Zones is {len(set(zones))}; EKS requires {minimum}",
                "add a subnet of another Availability Zone, or write another AvailabilityZoneId for one of these",
            )

from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.cluster_subnets import subnet_zones


class ClusterInExcludedZone(TemplateRule):
    """The subnets of an EKS cluster are in Availability Zones that support control planes (`SubnetIds`)."""

    id = "E8217"
    operation = "eks:CreateCluster"
    error_code = "UnsupportedAvailabilityZoneException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html; zones: catalog/data/regions.yaml"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        catalog = context.catalog
        for position, zone_id in subnet_zones(context.resource, context.look_up):
            region = catalog.regions.get(catalog.regions.of_zone_id(zone_id) or "") if zone_id is not None else None
            if region is not None and zone_id in region.eks_control_plane_excluded:
                yield Violation(
                    f"ResourcesVpcConfig.SubnetIds[{position}]",
                    f"is in {zone_id}, which does not support EKS control planes",
                    f"list a subnet of {', '.join(region.eks_control_plane_zone_ids)} instead; nodes may use this one",
                )

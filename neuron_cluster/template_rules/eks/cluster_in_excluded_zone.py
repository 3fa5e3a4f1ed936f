"""EKS cluster subnets in zones without support for control planes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.cluster_subnets import subnet_zones
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ClusterInExcludedZone(ResourceRule):
    """The subnets of an EKS cluster are in Availability Zones that support control planes (`SubnetIds`)."""

    id = "E8217"
    operation = "eks:CreateCluster"
    error_code = "UnsupportedAvailabilityZoneException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html; zones: catalog/data/regions.yaml"
    types = ("AWS::EKS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        for position, zone_id in subnet_zones(resource, look_up):
            region = catalog.region(catalog.region_of_zone_id(zone_id) or "") if zone_id is not None else None
            if region is not None and zone_id in region.eks_control_plane_excluded:
                yield Violation(
                    f"ResourcesVpcConfig.SubnetIds[{position}]",
                    f"is in {zone_id}, which does not support EKS control planes",
                    f"list a subnet of {', '.join(region.eks_control_plane_zone_ids)} instead; nodes may use this one",
                )

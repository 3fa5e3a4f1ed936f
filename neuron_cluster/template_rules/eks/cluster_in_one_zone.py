"""EKS cluster subnets in fewer Availability Zones than EKS requires."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.cluster_subnets import subnet_zones
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ClusterInOneZone(ResourceRule):
    """The subnets of an EKS cluster are in at least two Availability Zones (`SubnetIds`)."""

    id = "E8216"
    operation = "eks:CreateCluster"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
    types = ("AWS::EKS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        minimum = catalog.limit("eks_control_plane_subnets").require_minimum()
        zones = [zone_id for _, zone_id in subnet_zones(resource, look_up)]
        if zones and None not in zones and len(set(zones)) < minimum:
            yield Violation(
                "ResourcesVpcConfig.SubnetIds",
                f"the number of Availability Zones is {len(set(zones))}; EKS requires {minimum}",
                "add a subnet of another Availability Zone, or write another AvailabilityZoneId for one of these",
            )

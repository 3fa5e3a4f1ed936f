"""The Availability Zones of an EKS cluster's subnets."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource


def subnet_zones(cluster: TemplateResource, look_up: LookUp) -> Iterator[tuple[int, str | None]]:
    """Position and zone id of each subnet of the cluster; None where the zone is unknown."""
    for position, subnet_id in enumerate(items(at(cluster.properties, "ResourcesVpcConfig", "SubnetIds"))):
        subnet = look_up.referred(subnet_id)
        yield position, text(at(subnet.properties, "AvailabilityZoneId")) if subnet is not None else None

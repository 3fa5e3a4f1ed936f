"""A Kubernetes API that the whole internet reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.address_range import HALF, prefix_bits
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_false, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class EndpointOpenToEveryone(ResourceRule):
    """The public endpoint of a cluster is off, or open to named addresses only: not to all, nor to half of them.

    Without PublicAccessCidrs EKS opens it to 0.0.0.0/0.
    """

    id = "E8218"
    operation = "eks:CreateCluster"
    error_code = None
    source = (
        "boto/botocore 1.44.5: eks VpcConfigRequest endpointPublicAccess (default true), "
        "publicAccessCidrs (default 0.0.0.0/0)"
    )
    types = ("AWS::EKS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        network = resource.properties.get("ResourcesVpcConfig")
        public = at(network, "EndpointPublicAccess")
        cidrs = at(network, "PublicAccessCidrs")
        if is_false(public) or is_unknown(public) or is_unknown(cidrs):
            return
        bits = [prefix_bits(cidr) for cidr in items(cidrs)]
        if not bits or any(each is not None and each <= HALF for each in bits):
            yield Violation(
                "ResourcesVpcConfig.PublicAccessCidrs",
                "the public endpoint is on and open to every address, or to half of them",
                "list the address ranges of the clients, or set EndpointPublicAccess: false",
            )

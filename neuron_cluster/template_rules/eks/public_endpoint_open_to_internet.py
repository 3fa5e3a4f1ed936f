from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.address_range import HALF, prefix_bits
from neuron_cluster.template_rules.property_tree import at, is_false, is_unknown, items


class PublicEndpointOpenToInternet(TemplateRule):
    """The public endpoint of an EKS cluster is disabled or limited to CIDR blocks (`PublicAccessCidrs`).

    A block with all or half of all addresses does not limit access. The default of PublicAccessCidrs is 0.0.0.0/0.
    """

    id = "E8218"
    operation = "eks:CreateCluster"
    error_code = None
    source = (
        "boto/botocore 1.44.5: eks VpcConfigRequest endpointPublicAccess (default true), "
        "publicAccessCidrs (default 0.0.0.0/0)"
    )
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        network = context.resource.properties.get("ResourcesVpcConfig")
        public = at(network, "EndpointPublicAccess")
        cidrs = at(network, "PublicAccessCidrs")
        if is_false(public) or is_unknown(public) or is_unknown(cidrs):
            return
        bits = [prefix_bits(cidr) for cidr in items(cidrs)]
        if not bits or any(each is not None and each <= HALF for each in bits):
            yield Violation(
                "ResourcesVpcConfig.PublicAccessCidrs",
                "the public endpoint is open to all addresses, or to half of them",
                "list the address ranges of the clients, or set EndpointPublicAccess: false",
            )

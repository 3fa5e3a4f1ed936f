"""How much of each quota the deployed templates of an environment use, counted as ``build_scale`` counts a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Templates = Mapping[str, Mapping[str, Any]]
"""Deployed templates by the name of their stack."""


def _properties(templates: Templates, *types: str) -> Iterator[Mapping[str, Any]]:
    """The properties of each resource of these types."""
    for template in templates.values():
        for resource in template.get("Resources", {}).values():
            if resource["Type"] in types:
                yield resource.get("Properties", {})


def _of(*types: str) -> Callable[[Templates], int]:
    return lambda templates: sum(1 for _ in _properties(templates, *types))


def _interface_endpoints(templates: Templates) -> int:
    rows = _properties(templates, "AWS::EC2::VPCEndpoint")
    return sum(row.get("VpcEndpointType") == "Interface" for row in rows)


def _lustre_gib(kind: str) -> Callable[[Templates], int]:
    """A function that adds up the capacity of file systems whose deployment type begins so."""

    def capacity(templates: Templates) -> int:
        return sum(
            int(row.get("StorageCapacity", 0))
            for row in _properties(templates, "AWS::FSx::FileSystem")
            if row.get("LustreConfiguration", {}).get("DeploymentType", "").startswith(kind)
        )

    return capacity


USES: Mapping[str, Callable[[Templates], int]] = {
    "vpcs_per_region": _of("AWS::EC2::VPC"),
    "ipv4_cidrs_per_vpc": _of("AWS::EC2::VPC", "AWS::EC2::VPCCidrBlock"),
    "subnets_per_vpc": _of("AWS::EC2::Subnet"),
    "route_tables_per_vpc": _of("AWS::EC2::RouteTable"),
    "elastic_ips_per_region": _of("AWS::EC2::EIP"),
    "interface_endpoints_per_vpc": _interface_endpoints,
    "security_groups_per_region": _of("AWS::EC2::SecurityGroup", "AWS::EKS::Cluster"),  # which makes one
    "launch_templates_per_region": _of("AWS::EC2::LaunchTemplate"),
    "auto_scaling_groups_per_region": _of("AWS::EKS::Nodegroup"),
    "managed_node_groups_per_cluster": _of("AWS::EKS::Nodegroup"),
    "eks_clusters_per_region": _of("AWS::EKS::Cluster"),
    "efs_file_systems_per_region": _of("AWS::EFS::FileSystem"),
    "lustre_persistent_1_storage_per_region": _lustre_gib("PERSISTENT_1"),
    "lustre_persistent_2_storage_per_region": _lustre_gib("PERSISTENT_2"),
    "lustre_scratch_storage_per_region": _lustre_gib("SCRATCH"),
    "cloudformation_stacks_per_region": len,
}
"""Functions by limit of the catalog. Limits that a template has no resources of are not there."""


def nat_gateway_zones(templates: Templates) -> frozenset[str]:
    """Ids of the zones in which the environment has a NAT gateway."""
    found = set()
    for template in templates.values():
        for gateway in _properties({"": template}, "AWS::EC2::NatGateway"):
            subnet = template["Resources"].get(gateway["SubnetId"].get("Ref"), {})
            found.add(subnet.get("Properties", {}).get("AvailabilityZoneId", ""))
    return frozenset(found)

"""Requests to EC2 with parameters that exclude or need each other: routes, gateways, templates, subnets, flow logs.

Source: the pages of the operations; badmintoncryer/cdk-preflight has the words, as EC2 answered
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError

TARGETS = (
    "GatewayId",
    "LocalGatewayId",
    "CarrierGatewayId",
    "NatGatewayId",
    "NetworkInterfaceId",
    "VpcPeeringConnectionId",
    "EgressOnlyInternetGatewayId",
    "TransitGatewayId",
    "VpcEndpointId",
    "CoreNetworkArn",
    "InstanceId",
)
OTHER_TARGETS = ("OdbNetworkArn", "LocalTarget")
"""Targets that came later than the words of the error."""
COMBINATION = "InvalidParameterCombination"
RESERVED_BLOCKS = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4")
"""Addresses of hosts themselves, of links and of groups, which no VPC may have."""
FIELD = re.compile(r"\$\{([^}]*)\}")


@guard("ec2", "CreateRoute", "ReplaceRoute")
def require_one_target(call: Call) -> None:
    if sum(call.parameters.get(name) is not None for name in (*TARGETS, *OTHER_TARGETS)) != 1:
        names = [f"{name[0].lower()}{name[1:]}" for name in TARGETS]
        words = f"The request must contain exactly one of {', '.join(names[:-1])} or {names[-1]}"
        raise ServiceError(COMBINATION, words)


@guard("ec2", "CreateNatGateway")
def require_address_of_public_gateway(call: Call) -> None:
    """Before the address is looked up. One for all zones finds its addresses itself."""
    given = call.parameters
    is_private = given.get("ConnectivityType") == "private"
    if is_private and given.get("AllocationId"):
        words = "AllocationId cannot be specified for a NAT Gateway with Connectivity Type private."
        raise ServiceError(COMBINATION, words)
    if not is_private and not given.get("AllocationId") and given.get("AvailabilityMode") != "regional":
        # Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateNatGateway.html; inferred: the words
        raise ServiceError("MissingParameter", "The request must contain the parameter AllocationId")
    if given.get("SecondaryPrivateIpAddressCount") and given.get("SecondaryPrivateIpAddresses"):
        # Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateNatGateway.html; inferred: the words
        words = "SecondaryPrivateIpAddressCount and SecondaryPrivateIpAddresses cannot both be specified."
        raise ServiceError(COMBINATION, words)


@guard("ec2", "CreateLaunchTemplate", "CreateLaunchTemplateVersion")
def require_template_form(call: Call) -> None:
    name = call.parameters.get("LaunchTemplateName")
    if call.operation == "CreateLaunchTemplate" and limit("launch_template_name").problem_with(name or "") is not None:
        # Source: badmintoncryer/cdk-preflight has the words; inferred: the code
        raise ServiceError(
            "InvalidLaunchTemplateName.MalformedException",
            "A launch template name must be between 3 and 128 characters, and may contain letters, numbers, and the "
            "following characters: - ( ) . / _.",
        )
    data = call.parameters.get("LaunchTemplateData", {})
    if data.get("InstanceType") and data.get("InstanceRequirements"):
        words = "Either the instance type or the instance requirements can be specified in the request, but not both."
        raise ServiceError(COMBINATION, words)


@guard("ec2", "CreateVpc", "AssociateVpcCidrBlock")
def require_vpc_block(call: Call) -> None:
    """What is no block at all, moto says."""
    cidr, sizes = call.parameters.get("CidrBlock"), limit("vpc_cidr_prefix")
    try:
        block = ipaddress.IPv4Network(cidr, strict=False) if cidr else None
    except ValueError:
        return
    if block is None:
        return
    fits = sizes.require_minimum() <= block.prefixlen <= sizes.require_maximum()
    if not fits or any(block.overlaps(ipaddress.IPv4Network(each)) for each in RESERVED_BLOCKS):
        raise ServiceError("InvalidVpc.Range", f"The CIDR '{cidr}' is invalid.")


@guard("ec2", "ModifySubnetAttribute")
def require_ipv6_for_dns64(call: Call) -> None:
    """That there is no such subnet, moto says."""
    if not call.parameters.get("EnableDns64", {}).get("Value"):
        return
    subnets = call.moto_backend("ec2").subnets.values()
    subnet: Any = next(
        (zone[call.parameters["SubnetId"]] for zone in subnets if call.parameters["SubnetId"] in zone), None
    )
    if subnet is not None and not subnet.ipv6_cidr_block_associations:
        words = "Cannot set enable-dns64 to true unless the subnet has an IPv6 CIDR block associated with it"
        raise ServiceError("InvalidParameterCombination", words)


@guard("ec2", "CreateFlowLogs")
def require_known_fields(call: Call) -> None:
    """The fields of records are those of the catalog."""
    for field in FIELD.findall(call.parameters.get("LogFormat", "")):
        if limit("flow_log_field").problem_with(field) is not None:
            raise ServiceError("InvalidParameter", f"Unknown fields provided: '{field}'")

"""VPC endpoints that EC2 refuses: of services that there are not, for names and routes that another one has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from moto.ec2.models.vpcs import AWS_ENDPOINT_SERVICES

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.knowledge.current import kept_by_region, knowledge
from local_aws.service import Call

GATEWAY, INTERFACE = "Gateway", "Interface"
OF_GATEWAYS = ("s3", "dynamodb", "s3express")
"""Services with gateway endpoints (https://docs.aws.amazon.com/vpc/latest/privatelink/gateway-endpoints.html)."""


@guard("ec2", "CreateVpcEndpoint")
def require_endpoint(call: Call) -> None:
    """moto takes any name, and as many endpoints of it as are asked for."""
    given, backend = call.parameters, call.moto_backend("ec2")
    service, kind = given.get("ServiceName"), given.get("VpcEndpointType", GATEWAY)
    if service is None:
        return
    _require_service(call, service, kind)
    _require_zones(backend, given.get("SubnetIds", []))
    if kind == GATEWAY:
        _require_free_tables(backend, service, given.get("RouteTableIds", []))
    if kind == INTERFACE:
        _require_groups(backend, given["VpcId"], given.get("SecurityGroupIds", []))
        if given.get("PrivateDnsEnabled"):
            _require_private_dns(backend, given["VpcId"], service)


@guard("ec2", "ModifyVpcEndpoint")
def require_change(call: Call) -> None:
    """That there is no such endpoint, moto says itself."""
    given, backend = call.parameters, call.moto_backend("ec2")
    endpoint = backend.vpc_end_points.get(given["VpcEndpointId"])
    if endpoint is None:
        return
    kept = [each for each in endpoint.subnet_ids or () if each not in given.get("RemoveSubnetIds", [])]
    _require_zones(backend, [*kept, *given.get("AddSubnetIds", [])])
    _require_free_tables(backend, endpoint.service_name, given.get("AddRouteTableIds", []))
    _require_groups(backend, endpoint.vpc_id, given.get("AddSecurityGroupIds", []))
    if given.get("PrivateDnsEnabled") and not endpoint.private_dns_enabled:
        _require_private_dns(backend, endpoint.vpc_id, endpoint.service_name)


@kept_by_region
def _services(region: str) -> dict[str, str | None]:
    """By name, the only kind of endpoint of a service in the Region; None where it may have two, or is not known."""
    found: dict[str, str | None] = {f"com.amazonaws.{region}.{name}": None for name in AWS_ENDPOINT_SERVICES}
    for row in knowledge().endpoint_services.values():
        found[row.service_name(region)] = INTERFACE if row.kind == "interface" else None
    return found


def _require_service(call: Call, name: str, kind: str) -> None:
    own = {each.service_name for each in call.moto_backend("ec2").configurations.values()}
    services = _services(call.region)
    if name not in own | services.keys():
        raise api_error("ec2.no_endpoint_service", name=name)
    is_of_aws = name in services and name.rpartition(".")[2] not in OF_GATEWAYS
    if kind == GATEWAY and (is_of_aws or services.get(name) == INTERFACE):
        raise api_error("ec2.endpoint_type", kind=kind)


def _require_zones(backend: Any, subnet_ids: Sequence[str]) -> None:
    """One subnet in each zone. That there is no such subnet, moto says."""
    zones: set[str] = set()
    for subnet_id in subnet_ids:
        for table in backend.subnets.values():
            if subnet_id not in table:
                continue
            zone = table[subnet_id].availability_zone
            if zone in zones:
                raise api_error("ec2.endpoint_zone_twice", subnet_id=subnet_id)
            zones.add(zone)


def _require_free_tables(backend: Any, service: str, route_table_ids: Iterable[str]) -> None:
    """A route table has one route to a service."""
    taken = {
        table: endpoint
        for endpoint in backend.vpc_end_points.values()
        if endpoint.service_name == service and endpoint.vpc_endpoint_type == GATEWAY
        for table in endpoint.route_table_ids or ()
    }
    for table in route_table_ids:
        if table in taken:
            prefix_list = taken[table].destination_prefix_list_id
            raise api_error("ec2.endpoint_route_exists", table=table, prefix_list=prefix_list)


def _require_groups(backend: Any, vpc_id: str, group_ids: Iterable[str]) -> None:
    for group_id in group_ids:
        group = backend.get_security_group_from_id(group_id)
        if group is None:
            raise api_error("ec2.no_group", name=group_id)
        if group.vpc_id != vpc_id:
            raise api_error("ec2.group_of_other_vpc", group_id=group_id, vpc_id=vpc_id)


def _require_private_dns(backend: Any, vpc_id: str, service: str) -> None:
    """The VPC resolves names, and none of its endpoints has this one."""
    vpc = backend.get_vpc(vpc_id)
    if not (_is_on(vpc.enable_dns_support) and _is_on(vpc.enable_dns_hostnames)):
        raise api_error("ec2.private_dns_attributes", vpc_id=vpc_id)
    for endpoint in backend.vpc_end_points.values():
        is_like = (endpoint.vpc_id, endpoint.service_name) == (vpc_id, service)
        if is_like and endpoint.vpc_endpoint_type == INTERFACE and endpoint.private_dns_enabled:
            raise api_error("ec2.private_dns_conflict", names=".".join(reversed(service.split("."))), vpc_id=vpc_id)


def _is_on(attribute: bool | str) -> bool:
    """moto keeps what a request says as its text."""
    return str(attribute).lower() == "true"

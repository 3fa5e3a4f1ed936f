"""VPC endpoints: which ones EC2 rejects, and the interfaces and routes of those that it makes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from moto.ec2.models.managed_prefixes import ManagedPrefixListBackend
from moto.ec2.models.vpcs import AWS_ENDPOINT_SERVICES, VPCBackend
from moto.ec2.responses.vpcs import VPCs

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import kept_by_region, knowledge
from local_aws.registry import guard
from local_aws.services.overrides import override

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
        _require_tables(backend, given["VpcId"], given.get("RouteTableIds", []))
        _require_free_tables(backend, service, given.get("RouteTableIds", []))
    if kind == INTERFACE:
        _require_groups(backend, given["VpcId"], given.get("SecurityGroupIds", []))
        if given.get("PrivateDnsEnabled"):
            _require_private_dns(backend, given["VpcId"], service)


@guard("ec2", "ModifyVpcEndpoint")
def require_change(call: Call) -> None:
    """Checks zones, route tables and groups of a change; moto rejects an endpoint that does not exist."""
    given, backend = call.parameters, call.moto_backend("ec2")
    endpoint = backend.vpc_end_points.get(given["VpcEndpointId"])
    if endpoint is None:
        return
    kept = [each for each in endpoint.subnet_ids or () if each not in given.get("RemoveSubnetIds", [])]
    _require_zones(backend, [*kept, *given.get("AddSubnetIds", [])])
    _require_tables(backend, endpoint.vpc_id, given.get("AddRouteTableIds", []))
    _require_free_tables(backend, endpoint.service_name, given.get("AddRouteTableIds", []))
    _require_groups(backend, endpoint.vpc_id, given.get("AddSecurityGroupIds", []))
    if given.get("PrivateDnsEnabled") and not endpoint.private_dns_enabled:
        _require_private_dns(backend, endpoint.vpc_id, endpoint.service_name)


@kept_by_region
def _services(region: str) -> dict[str, str | None]:
    """Returns the only kind of endpoint of each service in the Region; None where it may have two, or is not known."""
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


def _require_tables(backend: Any, vpc_id: str, route_table_ids: Iterable[str]) -> None:
    """Checks that route tables are of the VPC; moto rejects a table that does not exist."""
    for table in map(backend.route_tables.get, route_table_ids):
        if table is not None and table.vpc_id != vpc_id:
            raise api_error("ec2.table_of_other_vpc", table=table.id, vpc_id=vpc_id)


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


@override(ManagedPrefixListBackend, "create_default_pls")
def create_prefix_lists(original: Any, backend: Any) -> None:
    """moto cannot delete a gateway endpoint of a service without a prefix list, as it has none of S3 Express."""
    original()
    name = f"com.amazonaws.{backend.region_name}.s3express"
    # inferred: the range, which stands for those of the Region
    entries = [{"Cidr": "192.0.2.0/24", "Description": "default"}]
    backend._create_aws_managed_prefix_list(name=name, address_family="IPv4", entries=entries)  # noqa: SLF001 - moto's


@override(VPCBackend, "create_vpc_endpoint")
def create_vpc_endpoint(original: Any, backend: Any, *args: Any, **kwargs: Any) -> Any:
    endpoint = original(*args, **kwargs)
    endpoint.vpc_endpoint_type = endpoint.vpc_endpoint_type or "Gateway"  # moto cannot delete one without a type
    _hold(backend, endpoint)
    return endpoint


@override(VPCBackend, "modify_vpc_endpoint")
def modify_vpc_endpoint(original: Any, backend: Any, vpc_id: str, *args: Any, **kwargs: Any) -> Any:
    """moto calls the endpoint's id ``vpc_id`` here."""
    endpoint = backend.vpc_end_points.get(vpc_id)
    before = set(endpoint.route_table_ids or ()) if endpoint is not None else set()
    original(vpc_id, *args, **kwargs)
    endpoint = backend.vpc_end_points[vpc_id]
    _route(backend, endpoint, before)
    _hold(backend, endpoint)


def _route(backend: Any, endpoint: Any, before: set[str]) -> None:
    """Routes of a gateway come and go with its route tables; moto makes them at creation only, and then misses them."""
    prefix_list, now = endpoint.destination_prefix_list_id, set(endpoint.route_table_ids or ())
    if prefix_list is None:
        return
    for route_table_id in now - before:
        backend.create_route(route_table_id, None, gateway_id=endpoint.id, destination_prefix_list_id=prefix_list)
    for route_table_id in before - now:
        backend.delete_route(route_table_id, None, destination_prefix_list_id=prefix_list)


def _hold(backend: Any, endpoint: Any) -> None:
    """One interface in each of the endpoint's subnets, with its groups (none given: the VPC's default group)."""
    if (endpoint.vpc_endpoint_type or "").lower() != "interface":
        return
    group_ids = endpoint.security_group_ids or [backend.get_default_security_group(endpoint.vpc_id).id]
    by_subnet = {backend.enis[each].subnet.id: each for each in endpoint.network_interface_ids if each in backend.enis}
    for subnet_id in set(by_subnet) - set(endpoint.subnet_ids):
        del backend.enis[by_subnet.pop(subnet_id)]
    for subnet_id in endpoint.subnet_ids:
        if subnet_id not in by_subnet:
            by_subnet[subnet_id] = backend.create_network_interface(backend.get_subnet(subnet_id), None).id
        interface = backend.enis[by_subnet[subnet_id]]
        interface._group_set = [backend.get_security_group_from_id(group_id) for group_id in group_ids]  # noqa: SLF001 - moto's field
        interface.description = f"VPC Endpoint Interface {endpoint.id}"
        interface.interface_type = "vpc_endpoint"
        interface.requester_managed = True
        interface.status = "in-use"
    endpoint.network_interface_ids = list(by_subnet.values())
    endpoint.security_group_ids = list(group_ids)


@override(VPCs, "modify_vpc_endpoint")
def modify_endpoint_attributes(original: Any, response: Any) -> Any:
    """moto reads lists and policy only."""
    answer = original()
    endpoint = response.ec2_backend.vpc_end_points[response._get_param("VpcEndpointId")]  # noqa: SLF001 - moto's own way to read a request
    private_dns = response._get_param("PrivateDnsEnabled")  # noqa: SLF001 - how moto reads a parameter
    if private_dns is not None:
        endpoint.private_dns_enabled = private_dns
    if response._get_param("ResetPolicy"):  # noqa: SLF001 - how moto reads a parameter
        endpoint.policy_document = json.dumps(endpoint.DEFAULT_POLICY)
    return answer


@override(VPCBackend, "describe_vpc_endpoints")
def describe_vpc_endpoints(
    original: Any, _backend: Any, vpc_end_point_ids: list[str] | None, filters: Any = None
) -> Any:
    """moto does not know the filter by id, for which an endpoint that does not exist is no error."""
    others = dict(filters or {})
    wanted = others.pop("vpc-endpoint-id", None)
    return [each for each in original(vpc_end_point_ids, filters=others) if wanted is None or each.id in wanted]


@override(VPCBackend, "delete_vpc_endpoints")
def delete_vpc_endpoints(original: Any, backend: Any, vpce_ids: list[str] | None = None) -> Any:
    """moto keeps deleted endpoints for ever."""
    original(vpce_ids)
    for endpoint_id in vpce_ids or []:
        backend.vpc_end_points.pop(endpoint_id, None)

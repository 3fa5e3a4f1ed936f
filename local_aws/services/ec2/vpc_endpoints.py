"""VPC endpoints: those of type Interface keep one in each subnet; changes and deletion are kept."""

from __future__ import annotations

import json
from typing import Any

from moto.ec2.models import vpcs
from moto.ec2.models.vpcs import VPCBackend
from moto.ec2.responses.vpcs import VPCs

from local_aws.services.overrides import override


def _address_of_the_subnet() -> None:
    """No wish: moto gives an interface an address from anywhere, which EC2 refuses."""


# The name is moto's import, of another type than a function without an answer.
vpcs.random_private_ip = _address_of_the_subnet  # type: ignore[attr-defined, assignment]


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


@override(VPCBackend, "delete_vpc_endpoints")
def delete_vpc_endpoints(original: Any, backend: Any, vpce_ids: list[str] | None = None) -> Any:
    """moto keeps deleted endpoints for ever."""
    original(vpce_ids)
    for endpoint_id in vpce_ids or []:
        backend.vpc_end_points.pop(endpoint_id, None)

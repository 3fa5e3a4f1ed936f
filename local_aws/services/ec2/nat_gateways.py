"""NAT gateways: each keeps an interface in its subnet until it is deleted."""

from __future__ import annotations

from typing import Any

from moto.ec2.models.nat_gateways import NatGatewayBackend

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.overrides import override


@guard("ec2", "CreateNatGateway", last=True)
def require_internet_gateway(call: Call) -> None:
    """EC2 takes the call and the gateway fails a moment later; here nothing takes a moment."""
    backend, given = call.moto_backend("ec2"), call.parameters
    subnet_id = given.get("SubnetId")
    subnet = next((zone[subnet_id] for zone in backend.subnets.values() if subnet_id in zone), None)
    if subnet is None or given.get("ConnectivityType") == "private":
        return
    attached = {gateway.vpc.id for gateway in backend.internet_gateways.values() if gateway.vpc is not None}
    if subnet.vpc_id not in attached:
        raise api_error("ec2.no_gateway_attached", vpc_id=subnet.vpc_id)


@override(NatGatewayBackend, "create_nat_gateway")
def create_nat_gateway(original: Any, _backend: Any, subnet_id: str, *args: Any, **kwargs: Any) -> Any:
    gateway = original(subnet_id, *args, **kwargs)
    interface = gateway._eni  # noqa: SLF001 - moto's field
    interface.description = f"Interface for NAT Gateway {gateway.id}"
    interface.interface_type = "nat_gateway"
    interface.requester_managed = True
    interface.status = "in-use"
    interface._group_set = []  # noqa: SLF001 - such an interface has no group
    return gateway


@override(NatGatewayBackend, "delete_nat_gateway")
def delete_nat_gateway(original: Any, backend: Any, nat_gateway_id: str) -> Any:
    """moto leaves the interface in the subnet and the address on the interface."""
    if nat_gateway_id not in backend.nat_gateways:
        raise api_error("ec2.no_nat_gateway", nat_gateway_id=nat_gateway_id)
    gateway = original(nat_gateway_id)
    interface = backend.enis.pop(gateway._eni.id, None)  # noqa: SLF001 - moto's field
    for address in backend.addresses:
        if interface is not None and address.eni is interface:
            address.eni = address.instance = address.association_id = None
    return gateway

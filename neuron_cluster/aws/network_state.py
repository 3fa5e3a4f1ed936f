"""The state of VPC endpoints and NAT gateways."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class EndpointState(Struct, frozen=True):
    service_name: str
    state: str
    """``available``, ``pending``, ``failed``, …, in lower case."""
    error: str
    created: datetime | None


class NatGatewayState(Struct, frozen=True):
    state: str
    failure: str
    created: datetime | None


def endpoint_states(target: Target, ids: Sequence[str]) -> dict[str, EndpointState]:
    """The endpoints that exist, by id."""
    if not ids:
        return {}
    named = [{"Name": "vpc-endpoint-id", "Values": list(ids)}]  # as ids, one that is gone would be an error
    with translated():
        pages = client(target, "ec2").get_paginator("describe_vpc_endpoints").paginate(Filters=named)
        rows = [row for page in pages for row in page["VpcEndpoints"]]
    return {
        row["VpcEndpointId"]: EndpointState(
            service_name=row["ServiceName"],
            state=row["State"].lower(),
            error=row.get("LastError", {}).get("Message", ""),
            created=row.get("CreationTimestamp"),
        )
        for row in rows
    }


def nat_gateway_states(target: Target, ids: Sequence[str]) -> dict[str, NatGatewayState]:
    """The NAT gateways that EC2 lists, by id: also one that was deleted up to an hour ago."""
    if not ids:
        return {}
    named = [{"Name": "nat-gateway-id", "Values": list(ids)}]
    with translated():
        pages = client(target, "ec2").get_paginator("describe_nat_gateways").paginate(Filters=named)
        rows = [row for page in pages for row in page["NatGateways"]]
    return {
        row["NatGatewayId"]: NatGatewayState(row["State"], row.get("FailureMessage", ""), row.get("CreateTime"))
        for row in rows
    }

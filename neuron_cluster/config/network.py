"""The network: one VPC, one private and (with NAT) one public subnet in each zone."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import Cidr, ClosedModel, ZoneId

SERVICE_PATTERN = r"^[a-z0-9.-]+$"


class Nat(enum.StrEnum):
    """How private subnets reach the internet."""

    NONE = "none"
    SINGLE = "single"
    PER_ZONE = "per_zone"


class SecondaryCidr(ClosedModel):
    """A further address range of the VPC, with one private subnet for nodes."""

    cidr: Cidr = Field(
        description="Address range, a /16 at most; one of 100.64.0.0/10 can be added to every VPC. "
        "It is one subnet whole.",
        examples=["100.64.0.0/16"],
    )
    availability_zone: ZoneId = Field(description="Zone id of its subnet, one of network.availability_zones.")


class Network(ClosedModel):
    """The VPC of the environment."""

    cidr: Cidr = Field(
        description="Address range of the VPC. Each private subnet gets an eighth of it, so a /16 gives /19 subnets."
    )
    availability_zones: Annotated[list[ZoneId], Field(min_length=1, max_length=6)] = Field(
        description="Availability zones by id, never by name: an id is the same place in every account. The "
        "position of a zone decides its addresses: append new ones, do not reorder.",
        examples=[["usw2-az4", "usw2-az1"]],
    )
    nat: Nat = Field(
        default=Nat.SINGLE,
        description="NAT gateways: none, a single one (cheapest), or one per zone (the failure of a "
        "zone affects no other).",
        examples=["single"],
    )
    endpoints: list[Annotated[str, Field(pattern=SERVICE_PATTERN)]] | None = Field(
        default=None,
        description="VPC endpoints by service name. Default: s3, and without NAT every service that nodes, add-ons and "
        "the kubectl function call.",
        examples=[["s3", "ecr.api", "ecr.dkr"]],
    )
    secondary_cidrs: list[SecondaryCidr] = Field(
        default=[],
        description="Further address ranges, one for a zone at most, each a private subnet of its own: room for "
        "node groups with subnets: secondary. Everything else stays in network.cidr.",
    )

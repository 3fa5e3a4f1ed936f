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
        description="CIDR block, at most a /16; one of 100.64.0.0/10 can be added to every VPC. It becomes one subnet.",
        examples=["100.64.0.0/16"],
    )
    availability_zone: ZoneId = Field(description="Zone id of its subnet, one of network.availability_zones.")


class Network(ClosedModel):
    """The VPC of the environment."""

    cidr: Cidr = Field(
        description="CIDR block of the VPC. Each private subnet gets an eighth of it: a /16 gives /19 subnets."
    )
    availability_zones: Annotated[list[ZoneId], Field(min_length=1, max_length=6)] = Field(
        description="Availability Zones by zone id, not by name: a zone id is the same in every account. The position "
        "of a zone decides its addresses: append new zones, do not reorder them.",
        examples=[["usw2-az4", "usw2-az1"]],
    )
    nat: Nat = Field(
        default=Nat.SINGLE,
        description="NAT gateways: none, single (cheapest), or per_zone (the failure of a zone does not affect the "
        "others).",
        examples=["single"],
    )
    endpoints: list[Annotated[str, Field(pattern=SERVICE_PATTERN)]] | None = Field(
        default=None,
        description="VPC endpoints by service name. Default: s3; without NAT also every service that nodes, add-ons "
        "and the kubectl function call.",
        examples=[["s3", "ecr.api", "ecr.dkr"]],
    )
    secondary_cidrs: list[SecondaryCidr] = Field(
        default=[],
        description="Secondary CIDR blocks, at most one for each zone, each with one private subnet for node groups "
        "with `subnets: secondary`. All other resources use network.cidr.",
    )

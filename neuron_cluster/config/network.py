"""The network: one VPC, one private and (with NAT) one public subnet in each zone; or a VPC that exists."""

import enum
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, ValidationInfo
from pydantic_core import PydanticKnownError

from neuron_cluster.config.existing_network import ExistingNetwork, SubnetKind
from neuron_cluster.config.scalars import Cidr, ClosedModel, ZoneId
from neuron_cluster.config.source_map import KeyPath

SERVICE_PATTERN = r"^[a-z0-9.-]+$"


class Nat(enum.StrEnum):
    """How private subnets reach the internet."""

    NONE = "none"
    SINGLE = "single"
    PER_ZONE = "per_zone"


class Endpoints(enum.StrEnum):
    """Which VPC endpoints there are, without a list."""

    NEEDED = "needed"
    ALL = "all"


EndpointChoice = Annotated[Endpoints, Tag("choice")]
EndpointNames = Annotated[list[Annotated[str, Field(pattern=SERVICE_PATTERN)]], Tag("names")]


def _form(value: Any) -> str:
    """Which of the two forms is meant, so that a mistake has one finding."""
    return "names" if isinstance(value, list) else "choice"


class SecondaryCidr(ClosedModel):
    """A further address range of the VPC, with one private subnet for nodes."""

    cidr: Cidr = Field(
        description="CIDR block, at most a /16; one of 100.64.0.0/10 can be added to every VPC. It becomes one subnet.",
        examples=["100.64.0.0/16"],
    )
    availability_zone: ZoneId = Field(description="Zone id of its subnet, one of network.availability_zones.")


def _needed_without_existing(value: Any, info: ValidationInfo) -> Any:
    """Rejects an absent key as a required one, unless the VPC exists; one that cannot be read has its own error."""
    if value is None and info.data.get("existing", ...) is None:
        raise PydanticKnownError("missing")
    return value


NEEDED_WITHOUT_EXISTING = BeforeValidator(_needed_without_existing)


class Network(ClosedModel):
    """The VPC of the environment."""

    model_config = ConfigDict(
        json_schema_extra={"if": {"required": ["existing"]}, "else": {"required": ["cidr", "availability_zones"]}}
    )

    existing: ExistingNetwork | None = Field(
        default=None,
        description="A VPC that exists, instead of cidr, availability_zones, nat and secondary_cidrs. The lock has its "
        "address ranges and routes. Absent: a VPC is created.",
        examples=[
            {
                "vpc_id": "vpc-01234567",
                "subnets": [
                    {"id": "subnet-01234567", "availability_zone": "usw2-az4", "kind": "private"},
                    {"id": "subnet-12345678", "availability_zone": "usw2-az1", "kind": "private"},
                ],
            }
        ],
    )
    cidr: Annotated[Cidr | None, NEEDED_WITHOUT_EXISTING] = Field(
        default=None,
        validate_default=True,
        description="CIDR block of the VPC. Each private subnet gets an eighth of it: a /16 gives /19 subnets. "
        "Absent: only with existing.",
        examples=["10.20.0.0/16"],
    )
    availability_zones: Annotated[
        Annotated[list[ZoneId], Field(min_length=1, max_length=6)] | None, NEEDED_WITHOUT_EXISTING
    ] = Field(
        default=None,
        validate_default=True,
        description="Availability Zones by zone id, not by name: a zone id is the same in every account. The position "
        "of a zone decides its addresses: append new zones, do not reorder them. Absent: only with existing.",
        examples=[["usw2-az4", "usw2-az1"]],
    )
    nat: Nat = Field(
        default=Nat.SINGLE,
        description="NAT gateways: none, single (cheapest), or per_zone (the failure of a zone does not affect the "
        "others).",
        examples=["single"],
    )
    endpoints: Annotated[EndpointNames | EndpointChoice, Discriminator(_form)] | None = Field(
        default=None,
        description="VPC endpoints: `needed`, those that the rest of the file calls (with NAT the gateways, which are "
        "free); `all`, every service that nodes, add-ons and the kubectl function may call; or a list of service "
        "names. Absent: without NAT as `all`, with NAT as `needed`; in a VPC that exists none.",
        examples=["needed", ["s3", "ecr.api", "ecr.dkr"]],
    )
    secondary_cidrs: list[SecondaryCidr] = Field(
        default=[],
        description="Secondary CIDR blocks, at most one for each zone, each with one private subnet for node groups "
        "with `subnets: secondary`. All other resources use network.cidr.",
    )

    @property
    def listed_endpoints(self) -> list[str] | None:
        """The services that the file lists; None where it lists none and the toolkit decides."""
        return self.endpoints if isinstance(self.endpoints, list) else None

    @property
    def zones(self) -> list[tuple[KeyPath, str]]:
        """The zones that hold a private subnet, each with its key; one that is listed twice is there twice."""
        if self.existing is not None:
            return self.existing.zones_of(SubnetKind.PRIVATE)
        return [
            (("network", "availability_zones", position), zone_id)
            for position, zone_id in enumerate(self.availability_zones or ())
        ]

    @property
    def public_zones(self) -> list[tuple[KeyPath, str]]:
        """The zones of public subnets that exist."""
        return self.existing.zones_of(SubnetKind.PUBLIC) if self.existing is not None else []

    @property
    def zone_ids(self) -> list[str]:
        """Zone ids of ``zones``, in the order of the file."""
        return [zone_id for _, zone_id in self.zones]

    @property
    def zones_path(self) -> KeyPath:
        """The list that decides the zones."""
        return ("network", "availability_zones") if self.existing is None else ("network", "existing", "subnets")

    @property
    def zones_key(self) -> str:
        """The same in words."""
        return ".".join(map(str, self.zones_path))

    def way_to_add(self, zone_id: str) -> str:
        """How the network gets a zone, for hints."""
        if self.existing is not None:
            return f"add a private subnet of {zone_id} to {self.zones_key}"
        return f"append {zone_id} to {self.zones_key}"

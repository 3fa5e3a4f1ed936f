"""A VPC that exists: its owner manages it, an environment only refers to it."""

import enum
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from neuron_cluster.config.scalars import ClosedModel, ZoneId
from neuron_cluster.config.source_map import KeyPath

VPC_PATTERN = r"^vpc-([0-9a-f]{8}|[0-9a-f]{17})$"
SUBNET_PATTERN = r"^subnet-([0-9a-f]{8}|[0-9a-f]{17})$"


class SubnetKind(enum.StrEnum):
    """What a subnet of an existing VPC is for."""

    PRIVATE = "private"
    PUBLIC = "public"


class ExistingSubnet(ClosedModel):
    """One subnet of an existing VPC."""

    id: Annotated[str, Field(pattern=SUBNET_PATTERN)] = Field(
        description="Id of the subnet.", examples=["subnet-0123456789abcdef0"]
    )
    availability_zone: ZoneId = Field(description="Zone id of the subnet; `lock` compares it with the account.")
    kind: SubnetKind = Field(
        description="private: for nodes, control plane, file systems and endpoints. public: for internet-facing load "
        "balancers only; its route table has a route to an internet gateway.",
        examples=["private"],
    )


def _one_is_private(subnets: list[ExistingSubnet]) -> list[ExistingSubnet]:
    if all(subnet.kind is SubnetKind.PUBLIC for subnet in subnets):
        raise PydanticCustomError("private_subnet", "at least one subnet of kind private is required")
    return subnets


class ExistingNetwork(ClosedModel):
    """A VPC of the account. No deploy creates, changes, tags or deletes it, its subnets, routes or gateways."""

    vpc_id: Annotated[str, Field(pattern=VPC_PATTERN)] = Field(
        description="Id of the VPC, in the account and Region of the environment.",
        examples=["vpc-0123456789abcdef0"],
    )
    subnets: Annotated[list[ExistingSubnet], Field(min_length=1, max_length=12), AfterValidator(_one_is_private)] = (
        Field(
            description="Subnets of the VPC that the environment uses, at most one of a kind in a zone.",
            examples=[[{"id": "subnet-01234567", "availability_zone": "usw2-az4", "kind": "private"}]],
        )
    )

    def zones_of(self, kind: SubnetKind) -> list[tuple[KeyPath, str]]:
        """The zones of the subnets of one kind, each with its key."""
        return [
            (("network", "existing", "subnets", position, "availability_zone"), subnet.availability_zone)
            for position, subnet in enumerate(self.subnets)
            if subnet.kind is kind
        ]

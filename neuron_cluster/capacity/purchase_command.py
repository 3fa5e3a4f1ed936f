"""The AWS CLI command that buys a capacity block offering: this toolkit never buys one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct

from neuron_cluster.capacity.block_unit import INSTANCE_BLOCK, ULTRASERVER_BLOCK
from neuron_cluster.capacity.offerings import BlockOffer

PLATFORM = "Linux/UNIX"
"""EC2's name of the platform of Neuron AMIs."""
ID_TO_FILL_IN = "cr-..."
UTC_TIME = "%Y-%m-%dT%H:%M:%SZ"
"""EC2 returns UTC."""


class PurchaseCommand(Struct, frozen=True):
    """Where the offering is bought: AWS, or the local AWS at ``endpoint``."""

    endpoint: str | None = None
    is_open: bool = True
    """False when the local AWS ends with the command that sent the query."""

    def arguments(self, offer: BlockOffer, tags: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """The arguments of the AWS CLI command; the reservation of the block gets the tags."""
        return (
            *("aws", "ec2", "purchase-capacity-block", "--region", offer.region),
            *(("--endpoint-url", self.endpoint) if self.endpoint else ()),
            *("--instance-platform", PLATFORM),
            *("--capacity-block-offering-id", offer.offering.id),
            *(("--tag-specifications", _tag_specification(tags)) if tags else ()),
        )

    def command(self, offer: BlockOffer, tags: Mapping[str, str] | None = None) -> str:
        """The command for a shell: an option on each line."""
        return in_lines(self.arguments(offer, tags))


def in_lines(arguments: Sequence[str]) -> str:
    """A command for a shell: an option on each line."""
    first, *options = shlex.join(arguments).split(" --")
    return " \\\n  ".join([first, *(f"--{option}" for option in options)])


def _tag_specification(tags: Mapping[str, str]) -> str:
    pairs = ",".join(f"{{Key={key},Value={value}}}" for key, value in tags.items())
    return f"ResourceType=capacity-reservation,Tags=[{pairs}]"


def environment_lines(offer: BlockOffer) -> str:
    """YAML of the node group for the block, with the keys that the block determines."""
    zone_id, unit = offer.offering.zone_id, offer.unit
    return "\n".join(
        [
            f"instance_type: {unit.instance_type}",
            *([f"availability_zone: {zone_id}"] if zone_id else []),
            "capacity:",
            f"  kind: {ULTRASERVER_BLOCK if unit.is_ultraserver else INSTANCE_BLOCK}",
            *([f"  ultraserver: {unit.name}"] if unit.is_ultraserver else []),
            f"  reservation_id: {ID_TO_FILL_IN}  # CapacityReservationId of the output",
            f"  starts: {offer.offering.start:{UTC_TIME}}",
            f"  ends: {offer.offering.end:{UTC_TIME}}",
        ]
    )

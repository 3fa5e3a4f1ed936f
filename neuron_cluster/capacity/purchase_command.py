"""The command that buys an offering: this toolkit never buys one."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.capacity.block_unit import INSTANCE_BLOCK, ULTRASERVER_BLOCK
from neuron_cluster.capacity.offerings import BlockOffer

PLATFORM = "Linux/UNIX"
"""EC2's name of what Neuron images run."""
ID_TO_FILL_IN = "cr-..."
UTC_TIME = "%Y-%m-%dT%H:%M:%SZ"
"""EC2 answers in UTC."""


class PurchaseCommand(Struct, frozen=True):
    """Where an offering can be bought: AWS, or the local AWS at ``endpoint``."""

    endpoint: str | None = None
    is_open: bool = True
    """Not when the local AWS ends with the command that asked it."""

    def arguments(self, offer: BlockOffer) -> tuple[str, ...]:
        """The command of the AWS CLI that buys it."""
        return (
            *("aws", "ec2", "purchase-capacity-block", "--region", offer.region),
            *(("--endpoint-url", self.endpoint) if self.endpoint else ()),
            *("--instance-platform", PLATFORM),
            *("--capacity-block-offering-id", offer.offering.id),
        )

    def command(self, offer: BlockOffer) -> str:
        """The same to be pasted into a shell: an option on each line."""
        first, *options = " ".join(self.arguments(offer)).split(" --")
        return " \\\n  ".join([first, *(f"--{option}" for option in options)])


def environment_lines(offer: BlockOffer) -> str:
    """YAML of the node group that runs in the block, as far as the block decides it."""
    zone_id, unit = offer.offering.zone_id, offer.unit
    return "\n".join(
        [
            f"instance_type: {unit.instance_type}",
            *([f"availability_zone: {zone_id}"] if zone_id else []),
            "capacity:",
            f"  kind: {ULTRASERVER_BLOCK if unit.is_ultraserver else INSTANCE_BLOCK}",
            *([f"  ultraserver: {unit.name}"] if unit.is_ultraserver else []),
            f"  reservation_id: {ID_TO_FILL_IN}  # CapacityReservationId of the answer",
            f"  starts: {offer.offering.start:{UTC_TIME}}",
            f"  ends: {offer.offering.end:{UTC_TIME}}",
        ]
    )

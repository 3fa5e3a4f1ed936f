"""Purchase options of instances: one kind for each way, each with the keys that it needs and no others."""

import datetime as dt
import enum
import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from neuron_cluster.config.scalars import ClosedModel

RESERVATION_ID_PATTERN = r"^cr-[0-9a-f]{8,17}$"
RESOURCE_GROUP_PATTERN = (
    r"^arn:aws(-[a-z]+)*:resource-groups:[a-z]{2}(-[a-z]+)+-[0-9]:[0-9]{12}:group/"
    r"([a-zA-Z0-9_.-]{1,300}|[a-zA-Z0-9_.-]{1,150}/[a-z0-9]{26})$"
)
"""GroupArnV2 of the resource-groups API; boto/botocore 1.44.5."""
ULTRASERVER_PATTERN = r"^u-[a-z0-9-]{2,30}$"
TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z$"


def _time(text: Any) -> Any:
    """Rejects days and hours that no calendar has, which a pattern cannot see."""
    if isinstance(text, str) and re.match(TIME_PATTERN, text):
        try:
            dt.datetime.fromisoformat(text)
        except ValueError as error:
            raise PydanticCustomError("time", "not a valid time: {reason}", {"reason": str(error)}) from None
    return text


UtcTime = Annotated[str, Field(pattern=TIME_PATTERN, examples=["2026-12-01T11:30:00Z"]), BeforeValidator(_time)]
ReservationId = Annotated[str, Field(pattern=RESERVATION_ID_PATTERN, examples=["cr-0123456789abcdef0"])]
ResourceGroupArn = Annotated[
    str,
    Field(
        pattern=RESOURCE_GROUP_PATTERN,
        examples=["arn:aws:resource-groups:us-west-2:111122223333:group/trn1-reservations"],
    ),
]

KIND = "Purchase option."
STARTS = "Start of the block: StartDate of the reservation."
ENDS = "End of the block: EndDate of the reservation. EC2 starts to terminate the instances at least 30 minutes before."


class OnDemand(ClosedModel):
    """On-Demand: billed per second, without reserved capacity."""

    kind: Literal["on_demand"] = Field(description=KIND, examples=["on_demand"])


class Spot(ClosedModel):
    """Spot: a lower price; EC2 can interrupt an instance with a notice of two minutes."""

    kind: Literal["spot"] = Field(description=KIND, examples=["on_demand"])


class ReservationMatch(enum.StrEnum):
    """Which reservations instances run in: ``targeted``, the one that is named; ``open``, any that matches."""

    TARGETED = "targeted"
    OPEN = "open"


class Reservation(ClosedModel):
    """Existing On-Demand Capacity Reservations: one, those of a resource group, or any open one."""

    kind: Literal["reservation"] = Field(description=KIND, examples=["on_demand"])
    match: ReservationMatch = Field(
        default=ReservationMatch.TARGETED,
        description="targeted: instances run only in the named reservation or resource group. open: in any open "
        "reservation of the account that matches, and On-Demand if none has free capacity; then name neither.",
        examples=["targeted"],
    )
    reservation_id: ReservationId | None = Field(
        default=None,
        description="Id of the capacity reservation.",
        examples=["cr-0123456789abcdef0"],
    )
    resource_group: ResourceGroupArn | None = Field(
        default=None,
        description="ARN of a resource group of capacity reservations; instances run in any of them with free "
        "capacity.",
        examples=["arn:aws:resource-groups:us-west-2:111122223333:group/trn1-reservations"],
    )


class CapacityBlock(ClosedModel):
    """A Capacity Block for ML: instances for a fixed period, paid up front."""

    kind: Literal["capacity_block"] = Field(description=KIND, examples=["on_demand"])
    reservation_id: ReservationId = Field(description="Id of the capacity reservation of the block.")
    starts: UtcTime | None = Field(default=None, description=STARTS, examples=["2026-12-01T11:30:00Z"])
    ends: UtcTime | None = Field(default=None, description=ENDS, examples=["2026-12-08T11:30:00Z"])


class UltraserverBlock(ClosedModel):
    """A Capacity Block of whole UltraServers for a fixed period, paid up front."""

    kind: Literal["ultraserver_block"] = Field(description=KIND, examples=["on_demand"])
    ultraserver: Annotated[str, Field(pattern=ULTRASERVER_PATTERN)] = Field(
        description="UltraServer type of the block, as EC2 names it.", examples=["u-trn2x64"]
    )
    reservation_id: ReservationId = Field(description="Id of the capacity reservation of the block.")
    starts: UtcTime | None = Field(default=None, description=STARTS, examples=["2026-12-01T11:30:00Z"])
    ends: UtcTime | None = Field(default=None, description=ENDS, examples=["2026-12-08T11:30:00Z"])


Capacity = Annotated[OnDemand | Spot | Reservation | CapacityBlock | UltraserverBlock, Field(discriminator="kind")]

WorkstationCapacity = Annotated[OnDemand | Reservation | CapacityBlock, Field(discriminator="kind")]
"""A workstation stops and starts again, which EC2 does not allow for Spot instances of one request; whole UltraServers
are for node groups."""

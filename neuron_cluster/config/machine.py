"""The block of fields that every place with Neuron machines shares: what to run, how many, bought how, wired how."""

from __future__ import annotations

import enum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from neuron_cluster.config.scalars import ClosedModel, WholeNumber, ZoneId, whole_number

INSTANCE_TYPE_PATTERN = r"^[a-z][a-z0-9-]{1,15}\.[a-z0-9-]{2,20}$"
RESERVATION_ID_PATTERN = r"^cr-[0-9a-f]{8,17}$"


class Count(ClosedModel):
    """How many machines: at least, now, at most."""

    min: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default=0, description="Fewest machines the group may shrink to.", examples=[0]
    )
    desired: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default=0,
        description="Machines to start with. An autoscaler may change the number later; a deploy sets it again.",
        examples=[2],
    )
    max: Annotated[WholeNumber, Field(ge=1, le=10_000)] = Field(
        description="Most machines the group may grow to. Addresses are planned for this number.", examples=[16]
    )


class OnDemand(ClosedModel):
    """Pay per second, no promise of capacity."""

    kind: Literal["on_demand"] = Field(description="How the machines are bought.", examples=["on_demand"])


class Spot(ClosedModel):
    """Spare capacity at a lower price; EC2 may take a machine back with two minutes' notice."""

    kind: Literal["spot"] = Field(description="How the machines are bought.", examples=["on_demand"])


ReservationId = Annotated[str, Field(pattern=RESERVATION_ID_PATTERN, examples=["cr-0123456789abcdef0"])]


class Reservation(ClosedModel):
    """An On-Demand Capacity Reservation that is already yours."""

    kind: Literal["reservation"] = Field(description="How the machines are bought.", examples=["on_demand"])
    reservation_id: ReservationId = Field(description="Id of the capacity reservation to run in.")


class CapacityBlock(ClosedModel):
    """A Capacity Block for ML: machines for fixed days, paid up front."""

    kind: Literal["capacity_block"] = Field(description="How the machines are bought.", examples=["on_demand"])
    reservation_id: ReservationId = Field(description="Id of the capacity reservation that the block came with.")


Capacity = Annotated[OnDemand | Spot | Reservation | CapacityBlock, Field(discriminator="kind")]


class Placement(enum.StrEnum):
    """Whether EC2 packs the machines close together."""

    CLUSTER = "cluster"
    NONE = "none"


class EfaLayout(enum.StrEnum):
    """Which interfaces a machine gets: ``efa`` on every network card that can, or one plain interface."""

    EFA = "efa"
    OFF = "off"


class RootVolume(ClosedModel):
    """The encrypted gp3 volume that a machine boots from."""

    size_gib: Annotated[WholeNumber, Field(ge=20, le=16_384)] = Field(
        description="Size in GiB. Neuron images and compiler caches are large.", examples=[512]
    )
    iops: Annotated[WholeNumber, Field(ge=3_000, le=80_000)] = Field(
        default=3_000, description="Provisioned I/O operations per second (gp3).", examples=[6000]
    )
    throughput_mibps: Annotated[WholeNumber, Field(ge=125, le=2_000)] = Field(
        default=125,
        description="Provisioned throughput in MiB/s (gp3); pulls of 20 GB images are bound by it.",
        examples=[500],
    )


class Machine(ClosedModel):
    """Machines of one kind."""

    instance_type: Annotated[str, Field(pattern=INSTANCE_TYPE_PATTERN)] = Field(
        description="EC2 instance type. `neuron-cluster catalog instances` lists those that are known.",
        examples=["trn1.32xlarge"],
    )
    count: Count = Field(description="How many machines.")
    capacity: Capacity = Field(
        default_factory=lambda: OnDemand(kind="on_demand"),
        description="How the machines are bought.",
        examples=[{"kind": "on_demand"}],
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id to run in; EFA needs one, it does not cross zones. Default: every zone of the network.",
    )
    placement: Placement | None = Field(
        default=None,
        description="Cluster placement group or none. Default: cluster for EFA machines that are neither reserved nor "
        "in a block, else none.",
        examples=["cluster"],
    )
    efa: EfaLayout | None = Field(
        default=None,
        description="EFA interfaces. Default: efa where the instance type has them, else off.",
        examples=["efa"],
    )
    logical_nc_config: Annotated[Literal[1, 2], BeforeValidator(whole_number)] | None = Field(
        default=None,
        description="Physical NeuronCores in a logical one (LNC), where the chip has the choice. Default: the chip's.",
        examples=[2],
    )
    root_volume: RootVolume | None = Field(
        default=None,
        description="Root volume. Default: the documented minimum for the instance type.",
        examples=[{"size_gib": 512}],
    )

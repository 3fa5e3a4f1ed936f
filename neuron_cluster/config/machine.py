"""The block of fields that every place with Neuron machines shares: what to run, how many, bought how, wired how."""

import enum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from neuron_cluster.config.capacity import Capacity, OnDemand
from neuron_cluster.config.scalars import ClosedModel, WholeNumber, ZoneId, whole_number

INSTANCE_TYPE_PATTERN = r"^[a-z][a-z0-9-]{1,15}\.[a-z0-9-]{2,20}$"


class Count(ClosedModel):
    """How many machines: at least, now, at most."""

    min: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default=0, description="Fewest machines the group may shrink to.", examples=[0]
    )
    desired: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default_factory=lambda given: given.get("min", 0),
        description="Machines to start with. An autoscaler may change the number later; a deploy sets it again. "
        "Default: as many as min.",
        examples=[2],
    )
    max: Annotated[WholeNumber, Field(ge=1, le=10_000)] = Field(
        description="Most machines the group may grow to. Addresses are planned for this number.", examples=[16]
    )


class Placement(enum.StrEnum):
    """Whether EC2 packs the machines close together."""

    CLUSTER = "cluster"
    NONE = "none"


class EfaLayout(enum.StrEnum):
    """Which interfaces a machine gets on its network cards; without EFA, one plain interface.

    ``efa``: an address on the first card alone; ``efa_all``: an address on every card; ``ena_primary``: the first
    interface is a plain one, and EFA takes no address. All three have as many EFA interfaces as the instance type.
    """

    EFA = "efa"
    EFA_ALL = "efa_all"
    ENA_PRIMARY = "ena_primary"
    OFF = "off"


class LocalDisks(enum.StrEnum):
    """Use of the NVMe instance store disks. Their data is lost with the machine."""

    RAID0 = "raid0"
    NONE = "none"


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
        examples=["usw2-az4"],
    )
    placement: Placement | None = Field(
        default=None,
        description="Cluster placement group or none. Default: cluster for EFA machines that are neither reserved nor "
        "in a block, else none.",
        examples=["cluster"],
    )
    efa: EfaLayout | None = Field(
        default=None,
        description="Layout of the EFA interfaces. Default: efa where the instance type has them, else off.",
        examples=["efa"],
    )
    logical_nc_config: Annotated[Literal[1, 2], BeforeValidator(whole_number)] | None = Field(
        default=None,
        description="Physical NeuronCores in a logical one (LNC), where the chip has the choice. Default: the chip's.",
        examples=[2],
    )
    local_disks: LocalDisks | None = Field(
        default=None,
        description="raid0 joins the NVMe disks of a machine into one fast file system, which holds container images "
        "and what pods write; none leaves them alone. Default: raid0 where the instance type has local disks, else "
        "none.",
        examples=["raid0"],
    )
    root_volume: RootVolume | None = Field(
        default=None,
        description="Root volume. Default: the size that the Neuron documents ask for on the instance type, else one "
        "that holds the images of such a node; the plan shows it.",
        examples=[{"size_gib": 512}],
    )

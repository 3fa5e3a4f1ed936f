"""The block of fields that every place with Neuron instances shares: what to run, how many, bought how, wired how."""

import enum
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from neuron_cluster.config.capacity import Capacity, OnDemand
from neuron_cluster.config.scalars import ClosedModel, WholeNumber, ZoneId, whole_number

INSTANCE_TYPE_PATTERN = r"^[a-z][a-z0-9-]{1,15}\.[a-z0-9-]{2,20}$"


def prefixed_instance_type(prefix: str) -> Callable[[Any], Any]:
    """Answers a name of EC2 with the name of a service that writes this prefix before it."""

    def check(name: Any) -> Any:
        if isinstance(name, str) and not name.startswith(prefix) and re.match(INSTANCE_TYPE_PATTERN, name):
            message = "instance types begin with {prefix} here: write {prefix}{name}"
            raise PydanticCustomError("prefix", message, {"prefix": prefix, "name": name})
        return name

    return check


class Count(ClosedModel):
    """Number of instances: minimum, desired, maximum."""

    min: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default=0, description="Minimum number of instances.", examples=[0]
    )
    desired: Annotated[WholeNumber, Field(ge=0, le=10_000)] = Field(
        default_factory=lambda given: given.get("min", 0),
        description="Desired number of instances. An autoscaler may change it later; a deploy sets it again. "
        "Default: the value of min.",
        examples=[2],
    )
    max: Annotated[WholeNumber, Field(ge=1, le=10_000)] = Field(
        description="Maximum number of instances. Addresses are planned for this number.", examples=[16]
    )


class Placement(enum.StrEnum):
    """EC2 placement strategy."""

    CLUSTER = "cluster"
    NONE = "none"


class EfaLayout(enum.StrEnum):
    """Network interfaces of an instance on its network cards; without EFA, one ENA interface.

    ``efa``: an IP address only on the first card; ``efa_all``: an IP address on every card; ``ena_primary``: the
    primary interface is ENA without EFA, and the EFA interfaces have no IP address. All three use every EFA interface
    of the instance type.
    """

    EFA = "efa"
    EFA_ALL = "efa_all"
    ENA_PRIMARY = "ena_primary"
    OFF = "off"


class LocalDisks(enum.StrEnum):
    """Use of the NVMe instance store disks. Their data is lost when the instance stops."""

    RAID0 = "raid0"
    NONE = "none"


class RootVolume(ClosedModel):
    """The encrypted gp3 root volume of an instance."""

    size_gib: Annotated[WholeNumber, Field(ge=20, le=16_384)] = Field(
        description="Size in GiB. Neuron images and compiler caches are large.", examples=[512]
    )
    iops: Annotated[WholeNumber, Field(ge=3_000, le=80_000)] = Field(
        default=3_000, description="Provisioned I/O operations per second (gp3).", examples=[6000]
    )
    throughput_mibps: Annotated[WholeNumber, Field(ge=125, le=2_000)] = Field(
        default=125,
        description="Provisioned throughput in MiB/s (gp3); it limits how fast large images are pulled.",
        examples=[500],
    )


class Machine(ClosedModel):
    """EC2 instances of one type."""

    instance_type: Annotated[str, Field(pattern=INSTANCE_TYPE_PATTERN)] = Field(
        description="EC2 instance type. `neuron-cluster catalog instances` lists the known ones.",
        examples=["trn1.32xlarge"],
    )
    count: Count = Field(description="Number of instances.")
    capacity: Capacity = Field(
        default_factory=lambda: OnDemand(kind="on_demand"),
        description="Purchase option.",
        examples=[{"kind": "on_demand"}],
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id. EFA requires one, because EFA traffic does not cross zones. Default: every zone of the "
        "network.",
        examples=["usw2-az4"],
    )
    placement: Placement | None = Field(
        default=None,
        description="Cluster placement group or none. Default: cluster for EFA without a reservation or capacity "
        "block, else none.",
        examples=["cluster"],
    )
    efa: EfaLayout | None = Field(
        default=None,
        description="Layout of the EFA interfaces. Default: efa if the instance type supports EFA, else off.",
        examples=["efa"],
    )
    logical_nc_config: Annotated[Literal[1, 2], BeforeValidator(whole_number)] | None = Field(
        default=None,
        description="Logical NeuronCore configuration (LNC): physical cores in a logical one, for instance types that "
        "support both values. Default: the default of the instance type.",
        examples=[2],
    )
    local_disks: LocalDisks | None = Field(
        default=None,
        description="raid0: the NVMe instance store disks become one file system for container images and the "
        "ephemeral storage of pods. none: they are not used. Default: raid0 if the instance type has such disks and "
        "the AMI joins them (those of managed node groups do), else none.",
        examples=["raid0"],
    )
    root_volume: RootVolume | None = Field(
        default=None,
        description="Root volume. Default: the size that the Neuron documentation recommends for the instance type, "
        "else one that holds the images of the node; the plan shows it.",
        examples=[{"size_gib": 512}],
    )


class ServiceMachine(ClosedModel):
    """Instances whose service decides interfaces, placement, disks and cores: the file has no key for them."""

    @property
    def placement(self) -> Placement | None:
        return None

    @property
    def efa(self) -> EfaLayout | None:
        return None

    @property
    def logical_nc_config(self) -> int | None:
        return None

    @property
    def local_disks(self) -> LocalDisks | None:
        return None

    @property
    def root_volume(self) -> RootVolume | None:
        return None

"""Workstations: single machines with a Neuron Deep Learning AMI (DLAMI), for people."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.capacity import OnDemand, WorkstationCapacity
from neuron_cluster.config.machine import INSTANCE_TYPE_PATTERN, RootVolume
from neuron_cluster.config.scalars import (
    ACCOUNT_PATTERN,
    GROUP_NAME_PATTERN,
    ClosedModel,
    GroupName,
    WholeNumber,
    ZoneId,
    text_or_number,
)

DLAMI_PATTERN = r"^[a-z0-9_]{1,64}$"
VIRTUAL_ENVIRONMENT_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"
AMI_ID_PATTERN = r"^ami-([0-9a-f]{8}|[0-9a-f]{17})$"


class Workstation(ClosedModel):
    """A single EC2 instance reachable only through Session Manager.

    It is disposable: persistent data is on its home volume.
    """

    name: GroupName = Field(description="Name of the workstation, unique in the environment.", examples=["alice"])
    instance_type: Annotated[str, Field(pattern=INSTANCE_TYPE_PATTERN)] = Field(
        description="EC2 instance type. `neuron-cluster catalog instances` lists those that are known.",
        examples=["inf2.xlarge"],
    )
    capacity: WorkstationCapacity = Field(
        default_factory=lambda: OnDemand(kind="on_demand"),
        description="How the machine is bought: on_demand, reservation or capacity_block.",
        examples=[{"kind": "on_demand"}],
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id to run in. Default: the zone of its home; without one, the first zone of the network.",
        examples=["usw2-az4"],
    )
    dlami: Annotated[str, Field(pattern=DLAMI_PATTERN)] = Field(
        description="Kind of Deep Learning AMI. `neuron-cluster catalog dlamis` lists the known ones.",
        examples=["multi_framework_ubuntu_24_04"],
    )
    ami_id: Annotated[str, Field(pattern=AMI_ID_PATTERN)] | None = Field(
        default=None,
        description="Image to pin, of the kind that dlami names. Default: the newest one on the day that the machine "
        "is made; an update that replaces the machine then brings the image of that day.",
        examples=["ami-0123456789abcdef0"],
    )
    ami_owner: Annotated[str, Field(pattern=ACCOUNT_PATTERN), text_or_number(ACCOUNT_PATTERN)] | None = Field(
        default=None,
        description="Account that owns ami_id, where that is neither Amazon nor account. `deploy` refuses an image of "
        "any other owner. Default: Amazon and account.",
        examples=["123456789012"],
    )
    virtual_environment: Annotated[str, Field(pattern=VIRTUAL_ENVIRONMENT_PATTERN)] | None = Field(
        default=None,
        description="Python virtual environment of the image that is active at login. Default: the first one of the "
        "image, if it has any.",
        examples=["jax_0_10"],
    )
    root_volume: RootVolume | None = Field(
        default=None,
        description="Root volume; it is deleted with the machine. Default: the documented minimum "
        "for the instance type.",
        examples=[{"size_gib": 512}],
    )
    home: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="The home of storage.homes that is mounted as the login user's home directory. Absent: the home "
        "directory is deleted with the machine.",
        examples=["alice"],
    )
    idle_stop_minutes: Annotated[WholeNumber, Field(ge=0, le=10_080)] = Field(
        default=60,
        description="The machine stops after this many minutes without a session, a process on a Neuron device or "
        "work for its processors. 0: it never stops by itself.",
        examples=[60],
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None, description="Team that pays for it; becomes a tag of the machine.", examples=["research"]
    )

"""Workstations: single instances with a Neuron Deep Learning AMI (DLAMI), for people."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.capacity import OnDemand, WorkstationCapacity
from neuron_cluster.config.machine import INSTANCE_TYPE_PATTERN, RootVolume
from neuron_cluster.config.scalars import (
    ACCOUNT_PATTERN,
    GROUP_NAME_PATTERN,
    ClosedModel,
    GroupName,
    Switch,
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
        description="EC2 instance type. `neuron-cluster catalog instances` lists the known ones.",
        examples=["inf2.xlarge"],
    )
    capacity: WorkstationCapacity = Field(
        default_factory=lambda: OnDemand(kind="on_demand"),
        description="Purchase option: on_demand, reservation or capacity_block.",
        examples=[{"kind": "on_demand"}],
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id. Default: the zone of its home; without a home, the first zone of the network.",
        examples=["usw2-az4"],
    )
    dlami: Annotated[str, Field(pattern=DLAMI_PATTERN)] = Field(
        description="Kind of Deep Learning AMI. `neuron-cluster catalog dlamis` lists the known ones.",
        examples=["multi_framework_ubuntu_24_04"],
    )
    ami_id: Annotated[str, Field(pattern=AMI_ID_PATTERN)] | None = Field(
        default=None,
        description="AMI id to pin, of the kind in dlami. Default: the newest one when the instance is created; an "
        "update that replaces the instance uses the newest one at that time.",
        examples=["ami-0123456789abcdef0"],
    )
    ami_owner: Annotated[str, Field(pattern=ACCOUNT_PATTERN), text_or_number(ACCOUNT_PATTERN)] | None = Field(
        default=None,
        description="Account that owns ami_id, if that is neither Amazon nor account. `deploy` stops with an error for "
        "an AMI of any other owner. Default: Amazon and account.",
        examples=["123456789012"],
    )
    virtual_environment: Annotated[str, Field(pattern=VIRTUAL_ENVIRONMENT_PATTERN)] | None = Field(
        default=None,
        description="Python virtual environment of the AMI that is active after login. Default: the first one of the "
        "AMI, if it has any.",
        examples=["jax_0_10"],
    )
    root_volume: RootVolume | None = Field(
        default=None,
        description="Root volume; it is deleted with the instance. Default: the documented minimum "
        "for the instance type.",
        examples=[{"size_gib": 512}],
    )
    home: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Name in storage.homes of the volume that is mounted as the login user's home directory. Absent: "
        "the home directory is deleted with the instance.",
        examples=["alice"],
    )
    efs: list[Annotated[str, Field(pattern=GROUP_NAME_PATTERN)]] = Field(
        default=[],
        description="Access points of storage.efs, each mounted on /efs/NAME. Absent: none.",
        examples=[["home"]],
    )
    lustre: Switch = Field(
        default=False,
        description="Mount the file system of storage.lustre on the paths that pods have: /checkpoints, /store and "
        "/var/cache/neuron.",
        examples=[True],
    )
    idle_stop_minutes: Annotated[WholeNumber, Field(ge=0, le=10_080)] = Field(
        default=60,
        description="The instance stops after this many minutes without a session, a process on a Neuron device or CPU "
        "load. 0: it does not stop automatically.",
        examples=[60],
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None, description="Team for cost allocation; becomes a tag of the instance.", examples=["research"]
    )

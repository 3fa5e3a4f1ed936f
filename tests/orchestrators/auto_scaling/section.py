"""The section ``auto_scaling`` of the environment file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import ClosedModel, GroupName
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.config.workstation import DLAMI_PATTERN


class AutoScalingGroup(Machine):
    """Machines of one Auto Scaling group."""

    name: GroupName = Field(description="Name of the group.", examples=["trn1"])
    dlami: Annotated[str, Field(pattern=DLAMI_PATTERN)] = Field(
        description="Kind of Deep Learning AMI.", examples=["base_ubuntu_24_04"]
    )
    queue: GroupName | None = Field(default=None, description="Queue whose jobs run on it.", examples=["training"])


class AutoScaling(ClosedModel):
    """Groups of machines without a scheduler."""

    groups: list[AutoScalingGroup] = Field(description="Its groups.")


SECTION = SectionSpec(
    key="auto_scaling",
    model=AutoScaling,
    description="Auto Scaling groups. Absent: none.",
    examples=({"groups": [{"name": "trn1", "instance_type": "trn1.2xlarge", "count": {"max": 2}}]},),
    position=30,
)

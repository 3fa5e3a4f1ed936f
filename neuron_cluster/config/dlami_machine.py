"""Instances of one group that start from a Deep Learning AMI (DLAMI)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import GroupName
from neuron_cluster.config.workstation import DLAMI_PATTERN


class DlamiMachine(Machine):
    """Item of the list ``groups`` of a provider without an image of its own."""

    name: GroupName = Field(description="Name of the group.", examples=["trn1"])
    dlami: Annotated[str, Field(pattern=DLAMI_PATTERN)] = Field(
        description="Kind of Deep Learning AMI. `neuron-cluster catalog dlamis` lists the known ones.",
        examples=["base_ubuntu_24_04"],
    )
    queue: GroupName | None = Field(default=None, description="Queue whose jobs run on it.", examples=["training"])

"""The section ``auto_scaling`` of the environment file."""

from __future__ import annotations

from pydantic import Field

from neuron_cluster.config.dlami_machine import DlamiMachine
from neuron_cluster.config.scalars import ClosedModel
from neuron_cluster.config.sections import SectionSpec


class AutoScalingGroup(DlamiMachine):
    """Machines of one Auto Scaling group."""


class AutoScaling(ClosedModel):
    """Groups of machines without a scheduler."""

    groups: list[AutoScalingGroup] = Field(description="Its groups.")


SECTION = SectionSpec(
    key="auto_scaling",
    model=AutoScaling,
    description="Auto Scaling groups. Absent: none.",
    examples=(
        {"groups": [{"name": "a", "instance_type": "trn1.2xlarge", "dlami": "base_ubuntu_24_04", "count": {"max": 2}}]},
    ),
)

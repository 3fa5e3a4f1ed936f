"""The ECS optimized AMIs with a Neuron driver and their SSM parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.sourced_row import SourcedRow


class EcsAmi(SourcedRow, frozen=True, kw_only=True):
    """One AMI. ``<ssm_prefix>/recommended`` is the SSM parameter with JSON about the newest image.

    ``name_pattern`` is the image's name with ``<date>`` for the day of its build; None where no source states it.
    """

    title: str
    state: Literal["supported", "retired"]
    successor: str | None
    ssm_prefix: str
    operating_system: str
    name_pattern: str | None
    chips: tuple[str, ...]

    @property
    def ssm_parameter(self) -> str:
        """The SSM parameter with the newest AMI id of a Region."""
        return f"{self.ssm_prefix}/recommended/image_id"

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.state == "retired" and self.successor is None:
            yield "successor", "a retired image needs the one to move to"
        if not self.ssm_prefix.startswith("/aws/service/ecs/"):
            yield "ssm_prefix", "is not a public parameter of ECS"

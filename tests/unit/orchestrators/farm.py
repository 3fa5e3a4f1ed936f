"""An orchestrator of these tests: a section with two keys, one rule, no compute groups."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.config.scalars import ClosedModel, Switch
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.orchestrators.base import Orchestrator

CODE_PATTERN = r"^farm-[0-9]$"


class Farm(ClosedModel):
    """Machines of a farm."""

    code: Annotated[str, Field(pattern=CODE_PATTERN)] = Field(description="Code of the farm.", examples=["farm-1"])
    idle: Switch = Field(default=False, description="Whether machines wait for work.", examples=[True])


class FarmOrchestrator(Orchestrator):
    rule_package = "tests.unit.orchestrators.farm_rules"

    def __init__(self, key: str = "farm", position: int = 20) -> None:
        self.section = SectionSpec(
            key=key,
            model=Farm,
            description="A farm. Absent: none.",
            examples=({"code": "farm-1"},),
            position=position,
            pattern_descriptions={CODE_PATTERN: "the code of a farm such as farm-1"},
        )

    def change_rows(self) -> tuple[ChangeRow, ...]:
        key = self.section.key
        return (
            ChangeRow(key, FieldEffect.DISPOSABLE, "The farm is made or removed."),
            ChangeRow(f"{key}.code", FieldEffect.DISPOSABLE, "Another farm."),
            ChangeRow(f"{key}.idle", FieldEffect.IN_PLACE, "Machines wait, or end."),
        )

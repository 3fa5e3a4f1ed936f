"""A provider of these tests: a section with two keys, one rule, no compute groups."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.config.scalars import ClosedModel, Switch
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

CODE_PATTERN = r"^farm-[0-9]$"


class Farm(ClosedModel):
    """Machines of a farm."""

    code: Annotated[str, Field(pattern=CODE_PATTERN)] = Field(description="Code of the farm.", examples=["farm-1"])
    idle: Switch = Field(default=False, description="Whether machines wait for work.", examples=[True])


class FarmPlan(ProviderPlan, frozen=True, kw_only=True):
    """The section, decided."""

    code: str


def _has_farm(plan: ClusterPlan) -> bool:
    return any(isinstance(each, FarmPlan) for each in plan.providers)


class FarmProvider(Provider):
    rule_package = "tests.unit.providers.farm_rules"

    def __init__(
        self, key: str = "farm", position: int = 20, parts: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> None:
        self.section = SectionSpec(
            key=key,
            model=Farm,
            description="A farm. Absent: none.",
            examples=({"code": "farm-1"},),
            position=position,
            pattern_descriptions={CODE_PATTERN: "the code of a farm such as farm-1"},
        )
        self.stacks = tuple(
            StackSpec(
                stack_key=f"{key}-{part}",
                purpose=f"{part} of the farm",
                key=key,
                module="",
                is_planned=_has_farm,
                after=after,
            )
            for part, after in parts.items()
        )

    def change_rows(self) -> tuple[ChangeRow, ...]:
        key = self.section.key
        return (
            ChangeRow(key, FieldEffect.DISPOSABLE, "The farm is made or removed."),
            ChangeRow(f"{key}.code", FieldEffect.DISPOSABLE, "Another farm."),
            ChangeRow(f"{key}.idle", FieldEffect.IN_PLACE, "Machines wait, or end."),
        )

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> FarmPlan | None:
        del network, catalog, lock
        farm = environment.config.section(Farm)
        return FarmPlan(path=(self.section.key,), code=farm.code) if farm is not None else None

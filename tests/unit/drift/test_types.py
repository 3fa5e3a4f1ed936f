"""A change of each resource type, made with the API of its service, is a row; the change back leaves none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from local_aws.engine.provider import Properties, ResourceContext, ResourceProvider
from local_aws.engine.stack_resource import StackResource
from neuron_cluster.drift.records import DriftKind, EnvironmentDrift
from tests.golden_stacks import OF_CHARTS

from .conftest import Deployed, Environment
from .type_changes import CHANGES, changed

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
GOLDEN = Path(__file__).parents[2] / "golden"
ENVIRONMENTS = ("storage-kinds", "slurm-storage", "private-trn1", "train-trn1")
"""They have every type that any environment has."""
NOT_CHANGED = {
    "AWS::EC2::PlacementGroup": "CloudFormation updates no tags of it, and EC2 deletes none with instances",
    "AWS::EC2::VPCGatewayAttachment": "EC2 detaches no gateway of a VPC with public addresses",
}
"""Types that are not changed here, with the reason."""


class Changeable:
    """One resource that its handler changes: with calls of the service's API, as a person would."""

    def __init__(self, environment: Environment, resource: StackResource, stack: Any) -> None:
        self.resource = resource
        self.address = f"{stack.name}/{resource.logical_id}"
        engine = environment.aws.engine.engine_context
        provider = engine.provider(resource.type)
        assert provider is not None
        self._provider: ResourceProvider = provider
        self._context: ResourceContext = stack.context(resource.logical_id, resource.type, {}, engine.endpoint)

    def update(self, old: Properties, new: Properties) -> None:
        self._provider.update(self._context, self.resource.resource, old, new)

    def delete(self) -> None:
        self._provider.delete(self._context, self.resource.resource, self.resource.properties)


def resources(environment: Environment) -> Iterator[Changeable]:
    for stack_key in environment.plan.stacks:
        stack = environment.aws.engine.table.find(
            environment.plan.account, environment.plan.region, environment.plan.stack_name(stack_key)
        )
        for resource in stack.resources.values() if stack is not None else ():
            yield Changeable(environment, resource, stack)


def with_other_tag(properties: Properties) -> dict[str, Any] | None:
    """The properties with another value of a tag; None without tags."""
    for name, value in properties.items():
        if not name.endswith("Tags"):
            continue
        if isinstance(value, Mapping) and value:
            return {**properties, name: {**value, next(iter(value)): "by hand"}}
        if isinstance(value, list) and value and "Value" in value[0]:
            return {**properties, name: [{**value[0], "Value": "by hand"}, *value[1:]]}
    return None


def change_of(each: Changeable, others: list[Changeable]) -> dict[str, Any] | None:
    """The properties after the change; None where the resource is deleted."""
    properties = each.resource.properties
    change = CHANGES.get(each.resource.type)
    if change is None:
        return with_other_tag(properties)
    another = next((other.resource.properties for other in others if differs(other, each, change)), {})
    return dict(changed(properties, change, another))


def differs(other: Changeable, each: Changeable, change: Mapping[str, Any]) -> bool:
    names = [name for name in change if name in each.resource.properties]
    return any(other.resource.properties.get(name) != each.resource.properties[name] for name in names)


def fits(each: Changeable) -> bool:
    """Whether the resource has what the change is about."""
    return all(name in each.resource.properties for name in CHANGES.get(each.resource.type, {})) or (
        each.resource.type in ("AWS::EKS::Addon", "AWS::EKS::AccessEntry")
    )


def rows_of(found: EnvironmentDrift, address: str) -> list[tuple[DriftKind, str]]:
    return [(each.kind, each.property) for each in found.drifts if f"{each.stack}/{each.logical_id}" == address]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_change_of_each_type_is_a_row_until_it_is_taken_back(name: str, deployed: Deployed) -> None:
    environment = deployed(name)
    assert environment.drift().drifts == ()
    by_type: dict[str, list[Changeable]] = {}
    for each in resources(environment):
        if not each.resource.type.startswith((OF_CHARTS, "Custom::", "AWS::CDK", *NOT_CHANGED)):
            by_type.setdefault(each.resource.type, []).append(each)
    missed = {}
    for kind, several in sorted(by_type.items(), key=lambda item: is_deleted(item[1])):
        each = next(filter(fits, several), several[0])
        try:
            problem = problem_of(environment, each, several)
        except (ClientError, BotoCoreError) as error:
            problem = f"the service refuses it: {error}"
        if problem:
            missed[kind] = problem
    assert missed == {}, json.dumps(missed, indent=1)


def is_deleted(several: list[Changeable]) -> bool:
    each = next(filter(fits, several), several[0])
    return change_of(each, several) is None


def problem_of(environment: Environment, each: Changeable, several: list[Changeable]) -> str:
    """The mistake in the rows of one change; empty where it is named, and gone when it is taken back."""
    known = rows_of(environment.drift(), each.address)
    after, before = change_of(each, several), each.resource.properties
    if after is None:
        each.delete()
        found = rows_of(environment.drift(), each.address)
        return "" if found == [(DriftKind.DELETED, "")] else f"deleted: {found}"
    each.update(before, after)
    found = [row for row in rows_of(environment.drift(), each.address) if row not in known]
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    each.update(after, before)
    left = [row for row in rows_of(environment.drift(), each.address) if row not in known]
    is_named = found != [] and {place.strip("/").partition("/")[0] for _, place in found} == names
    return "" if is_named and left == [] else f"changed {names}: {found}, taken back: {left}"


def test_the_environments_have_every_type_of_aws(deployed: Callable[..., Environment]) -> None:
    del deployed
    every, here = set(), set()
    for file in GOLDEN.glob("*/*.template.json"):
        types = {each["Type"] for each in json.loads(file.read_text())["Resources"].values()}
        every |= types
        here |= types if file.parent.name in ENVIRONMENTS else set()
    assert every - here == set()

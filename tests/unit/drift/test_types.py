"""A change of each resource type, made with the API of its service, is a row; the change back leaves none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from neuron_cluster.drift.records import DriftKind, EnvironmentDrift
from tests.golden_stacks import OF_CHARTS

from .changeable import ENVIRONMENTS, NOT_CHANGED, Changeable, change_of, fits, resources
from .conftest import Deployed, Environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
GOLDEN = Path(__file__).parents[2] / "golden"


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

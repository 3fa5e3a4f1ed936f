"""The effect of the next deploy on a change of each type, which two deploys of all changes then prove.

The first deploy edits another property of each changed resource, a tag where it has tags; the second one gives each
template the actual value, as `--adopt` does.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.drift.next_deploy import with_next_deploy
from neuron_cluster.drift.records import DeployEffect, Drift, DriftKind
from tests.golden_stacks import GOLDEN, OF_CHARTS

from .changeable import ENVIRONMENTS, NO_PROPERTY_TO_UPDATE, NOT_CHANGED, Changeable, change_of, fits, resources
from .conftest import Deployed, Environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
CATALOG = load_catalog()
Templates = dict[str, dict[str, Any]]
TAG = "edited"
LEAVES = frozenset({DeployEffect.NOTHING})


class Change:
    """A resource with the properties that were changed by hand."""

    def __init__(self, changeable: Changeable, after: Mapping[str, Any]) -> None:
        self.changeable = changeable
        self.address = changeable.address
        before = changeable.resource.properties
        self.after = dict(after)
        self.names = [name for name in {*before, *after} if before.get(name) != after.get(name)]

    def make(self) -> None:
        self.changeable.update(self.changeable.resource.properties, self.after)


def changes(environment: Environment) -> list[Change]:
    """One for each type that has a property which can be updated."""
    by_type: dict[str, list[Changeable]] = {}
    for each in resources(environment):
        if not each.resource.type.startswith((OF_CHARTS, "Custom::", "AWS::CDK", *NOT_CHANGED)):
            by_type.setdefault(each.resource.type, []).append(each)
    found = []
    for several in by_type.values():
        each = next(filter(fits, several), several[0])
        after = change_of(each, several)
        if after is not None:
            found.append(Change(each, after))
    return found


def properties(templates: Templates, address: str) -> dict[str, Any]:
    stack, logical_id = address.split("/")
    found: dict[str, Any] = templates[stack]["Resources"][logical_id].setdefault("Properties", {})
    return found


def with_another_tag(templates: Templates, made: Iterable[Change]) -> Templates:
    """The templates with a further tag of each resource, where that updates it in place."""
    new = copy.deepcopy(templates)
    for change in made:
        own = properties(new, change.address)
        name = next((name for name in own if name.endswith("Tags")), None)
        if name is None:
            continue
        before = own[name]
        own[name] = {**before, TAG: "yes"} if isinstance(before, dict) else [*before, {"Key": TAG, "Value": "yes"}]
        if change.address in map(str, Comparison(templates, new, CATALOG).replaced):
            own[name] = before
    return new


def with_actual_values(templates: Templates, made: Iterable[Change]) -> Templates:
    """The templates with each changed property as it was changed."""
    new = copy.deepcopy(templates)
    for change in made:
        own = properties(new, change.address)
        for name in change.names:
            tags = [tag for tag in own.get(name) or () if TAG in (tag, *tag)] if name.endswith("Tags") else []
            own[name] = change.after[name] if not tags else own[name]
    return new


def predicted(environment: Environment, new: Templates) -> list[Drift]:
    deployed = environment.deployed()
    comparison = Comparison(deployed.templates, new, CATALOG)
    return list(with_next_deploy(environment.drift(), comparison).drifts)


def deploy(environment: Environment, old: Templates, new: Templates) -> dict[str, str]:
    """The statuses of stacks whose update failed, with the reason."""
    cloudformation, failed = environment.client("cloudformation"), {}
    for part in environment.plan.stacks:
        name = environment.plan.stack_name(part)
        if name not in new or old[name] == new[name]:
            continue
        cloudformation.update_stack(
            StackName=name,
            TemplateBody=json.dumps(new[name]),
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        )
        environment.aws.engine.wait()
        status = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
        if status != "UPDATE_COMPLETE":
            events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
            reasons = [each.get("ResourceStatusReason", "") for each in events if "FAILED" in each["ResourceStatus"]]
            failed[name] = f"{status}: {reasons}"
    return failed


def rows(drifts: Iterable[Drift]) -> dict[str, DeployEffect]:
    return {f"{each.stack}/{each.logical_id}{each.property}": each.next_deploy.effect for each in drifts}


def is_reference(drift: Drift) -> bool:
    """Whether the value of the template is a reference, of which a comparison of templates knows no value."""
    of_resource = "refers to" in drift.next_deploy.reason or drift.actual is None
    return drift.next_deploy.effect is DeployEffect.SETS and of_resource


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_two_deploys_do_what_the_rows_state(name: str, deployed: Deployed) -> None:
    environment = deployed(name)
    made = changes(environment)
    for change in made:
        change.make()
    first = dict(environment.deployed().templates)
    assert set(rows(predicted(environment, first)).values()) == {DeployEffect.NOTHING}
    tagged = with_another_tag(first, made)
    before = predicted(environment, tagged)
    assert {f"{each.stack}/{each.logical_id}" for each in before} == {change.address for change in made}
    assert [each for each in before if each.kind is not DriftKind.CHANGED] == []
    assert deploy(environment, first, tagged) == {}
    left = rows(environment.drift().drifts)
    wrong = {row: effect for row, effect in rows(before).items() if (row in left) != (effect in LEAVES)}
    assert wrong == {}, json.dumps({"left": sorted(left), "wrong": wrong}, indent=1)
    assert set(left) <= set(rows(before))

    of_left = [change for change in made if any(row.startswith(change.address) for row in left)]
    adopted = with_actual_values(tagged, of_left)
    kept = predicted(environment, adopted)
    others = [each for each in kept if each.next_deploy.effect is not DeployEffect.KEEPS and not is_reference(each)]
    assert others == [], "\n".join(map(str, others))
    assert deploy(environment, tagged, adopted) == {}
    assert rows(environment.drift().drifts) == {}


def test_types_that_are_not_changed_are_those_without_a_property_to_update(deployed: Deployed) -> None:
    made = {change.changeable.resource.type for name in ENVIRONMENTS for change in changes(deployed(name))}
    every = {
        each["Type"]
        for file in GOLDEN.glob("*/*.template.json")
        for each in json.loads(file.read_text())["Resources"].values()
        if not each["Type"].startswith(("Custom::", "AWS::CDK", "AWS::CloudFormation"))
    }
    assert every - made == NO_PROPERTY_TO_UPDATE

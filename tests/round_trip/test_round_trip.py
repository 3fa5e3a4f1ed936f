"""Every property of every golden template reaches its service and comes back from it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from edited_environment import BROUGHT, BROUGHT_BY_OTHERS, BROUGHT_TYPES, EDITED, ENVIRONMENT
from golden_paths import golden_resources, leaf_paths, property_paths

from local_aws.resource_types.attachments import attached_types, without_attachments
from local_aws.resource_types.property_differences import property_differences
from local_aws.resource_types.write_only_properties import unreadable

pytestmark = pytest.mark.slow
Path = tuple[str, str]
"""A type and a property path in it, ``*`` for the items of a list."""


@pytest.fixture(scope="module")
def lost(deployed: Callable[[str], Any]) -> Callable[[str], dict[Path, str]]:
    """``lost("train-trn1")``: the paths whose values do not come back, each with what came instead."""

    def of(environment: str) -> dict[Path, str]:
        found: dict[Path, str] = {}
        there = deployed(environment)
        actual = {
            (stack.name, resource.logical_id): there.read(stack, resource) for stack, resource in there.resources()
        }
        for stack, resource in there.resources():
            own = actual[stack.name, resource.logical_id]
            if attached_types(resource.type):
                others = [(other.type, actual[stack.name, other.logical_id]) for other in stack.resources.values()]
                own = without_attachments(resource.type, resource.physical_id, own, others)
            for difference in property_differences(dict(resource.properties), own):
                base = f"{stack.name}/{resource.logical_id}: {difference}"
                below = leaf_paths(difference.expected, difference.pattern) if difference.kind == "REMOVE" else ()
                for path in below or (difference.pattern,):
                    found[resource.type, path] = base
        return found

    return of


def test_every_resource_of_the_goldens_is_deployed(environment: str, deployed: Callable[[str], Any]) -> None:
    """The other tests are about all resources of the goldens."""
    made = {(stack.name, each.logical_id, each.type) for stack, each in deployed(environment).resources()}
    golden = {(stack, name, kind) for stack, name, kind, _ in golden_resources(environment)}
    assert golden
    assert made >= golden
    assert made == golden or environment in EDITED


def test_edits_bring_what_else_would_need_environments_of_their_own(deployed: Callable[[str], Any]) -> None:
    made = {
        (each.type, path) for _, each in deployed(ENVIRONMENT).resources() for path in leaf_paths(dict(each.properties))
    }
    assert made >= BROUGHT
    assert {kind for kind, _ in made} >= BROUGHT_TYPES
    for environment, types in BROUGHT_BY_OTHERS.items():
        assert {each.type for _, each in deployed(environment).resources()} >= types


def test_every_property_comes_back(
    environment: str,
    lost: Callable[[str], dict[Path, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """After the deploy the service's own API tells each value, but for those in the table of the unreadable."""
    asked = property_paths(environment)
    excused = {(kind, path) for kind, rows in unreadable().items() for path in rows}
    missing = lost(environment)
    assert {path: actual for path, actual in missing.items() if path not in excused} == {}
    assert excused & asked == set(missing) & asked, "the table holds a property that does come back"
    with capsys.disabled():
        sys.stdout.write(f"\n{environment}: {len(asked - excused)} of {len(asked)} property paths are read back\n")


def test_what_was_just_deployed_has_not_drifted(largest_environment: str, deployed: Callable[[str], Any]) -> None:
    """Another test reads each property; this one is about CloudFormation's comparison."""
    there = deployed(largest_environment)
    for name in there.stacks:
        client = there.client("cloudformation")
        detection = client.detect_stack_drift(StackName=name)["StackDriftDetectionId"]
        found = client.describe_stack_drift_detection_status(StackDriftDetectionId=detection)
        assert (found["DetectionStatus"], found["StackDriftStatus"]) == ("DETECTION_COMPLETE", "IN_SYNC")

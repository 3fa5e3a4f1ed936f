"""`list` tells a deploy and a destroy apart that ended early, and calls nothing complete that is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.deploy.deployed_environments import grouped
from neuron_cluster.deploy.deployment_state import DeploymentState

STACK_KEYS = ("network", "storage", "cluster", "nodes", "teams")
EXPECTED = tuple(f"lab-{stack_key}" for stack_key in STACK_KEYS)
KEPT = EXPECTED[:2]


def at(hour: int) -> datetime:
    return datetime(2026, 11, 29, hour, tzinfo=UTC)


def stack(stack_key: str, status: str = "CREATE_COMPLETE", created: int = 1, updated: int | None = None) -> Stack:
    moment = at(updated) if updated is not None else None
    return Stack(
        stack_key, f"lab-{stack_key}", status, "", False, f"Neuron cluster lab: {stack_key}", at(created), moment
    )


def text(*stacks: Stack, deleted: dict[str, int] | None = None, expected: tuple[str, ...] | None = EXPECTED) -> str:
    gone = {f"lab-{stack_key}": at(hour) for stack_key, hour in (deleted or {}).items()}
    return DeploymentState(stacks, expected, gone, KEPT).text


def test_complete_is_every_stack_whose_last_operation_succeeded() -> None:
    whole = [stack(stack_key) for stack_key in STACK_KEYS]
    assert text(*whole) == "complete"
    assert text(*whole[:-1], stack("teams", "UPDATE_COMPLETE")) == "complete"
    for status in ("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "UPDATE_IN_PROGRESS", "DELETE_FAILED"):
        assert text(*whole[:-1], stack("teams", status)) == f"lab-teams {status}"
    assert text(*whole, expected=None).startswith("which stacks are missing is not known")


def test_a_deploy_that_ended_early_is_deployed_in_part() -> None:
    found = text(stack("network"), stack("storage"))
    assert found.startswith("deployed in part: 2 of 5 stacks, without lab-cluster, lab-nodes and lab-teams")
    rolled_back = text(stack("network"), stack("storage"), stack("cluster", "ROLLBACK_COMPLETE"))
    assert rolled_back.startswith("lab-cluster ROLLBACK_COMPLETE, deployed in part: 3 of 5 stacks")


def test_a_destroy_that_ended_early_is_destroyed_in_part() -> None:
    left = [stack("network"), stack("storage"), stack("cluster")]
    assert text(*left, deleted={"teams": 3, "nodes": 4}).startswith(
        "destroyed in part: 3 of 5 stacks, without lab-nodes and lab-teams; `destroy` continues"
    )
    killed = text(*left, stack("nodes", "DELETE_IN_PROGRESS"), deleted={"teams": 3})
    assert killed.startswith("lab-nodes DELETE_IN_PROGRESS, destroyed in part: 4 of 5 stacks, without lab-teams")


def test_a_destroy_that_kept_the_data_is_not_one_that_ended_early() -> None:
    found = text(stack("network"), stack("storage"), deleted={"teams": 3, "nodes": 4, "cluster": 5})
    assert found.startswith("destroyed, and kept with its data: 2 of 5 stacks")
    failed = text(stack("network", "DELETE_FAILED"), deleted={"teams": 3, "nodes": 4, "cluster": 5, "storage": 6})
    assert failed.startswith("lab-network DELETE_FAILED, destroyed in part: 1 of 5 stacks")


@pytest.mark.parametrize("later", [stack("cluster", created=6), stack("storage", "UPDATE_COMPLETE", updated=6)])
def test_a_deploy_after_a_destroy_that_ended_early_is_deployed_in_part(later: Stack) -> None:
    stacks = {each.name: each for each in (stack("network"), stack("storage"), later)}
    found = text(*stacks.values(), deleted={"teams": 3, "nodes": 4, "cluster": 5})
    assert found.startswith("deployed in part")


def test_a_stack_whose_first_deploy_was_rolled_back_is_listed_without_resources() -> None:
    found = grouped([stack("network"), stack("cluster", "ROLLBACK_COMPLETE")])["lab"]
    assert [each.name for each in found.stacks] == ["lab-network"]
    assert [each.name for each in found.not_made] == ["lab-cluster"]

"""Resources that a failed update replaced or dropped: none is lost, none is left."""

from __future__ import annotations

import pytest

FAILING = {"DependsOn": "B", "Value": "refused"}


def physical_ids(stack):
    return {name: each.physical_id for name, each in stack.resources.items()}


@pytest.fixture
def half_rolled_back(cloud, template, resource):
    """A stack in UPDATE_ROLLBACK_FAILED: A was replaced before C failed, and B could not be changed back."""
    stack = cloud.create("s", template(A=resource(CidrBlock="1"), B=resource(Value="old", DependsOn="A")))
    ids = physical_ids(stack)
    cloud.remote.refused.add("old")
    cloud.update(
        "s",
        template(A=resource(CidrBlock="2"), B=resource(Value="new", DependsOn="A"), C=resource(**FAILING)),
    )
    assert stack.status == "UPDATE_ROLLBACK_FAILED"
    return stack, ids


def test_a_resource_dropped_by_a_stopped_update_is_there_after_the_rollback(cloud, template, resource):
    """The update stops at an output whose export another stack has."""
    output = {"O": {"Value": "x", "Export": {"Name": "taken"}}}
    cloud.create("other", template(output, A=resource()))
    stack = cloud.create("s", template(A=resource(), B=resource()))
    ids = physical_ids(stack)
    cloud.update("s", template(output, A=resource(Value="new")), DisableRollback=True)
    assert stack.status == "UPDATE_FAILED"
    cloud.roll_back(stack)
    assert (stack.status, physical_ids(stack)) == ("UPDATE_ROLLBACK_COMPLETE", ids)
    assert cloud.remote.things.keys() == {*ids.values(), *physical_ids(cloud.find("other")).values()}


def test_a_rollback_that_goes_on_removes_the_replacement(cloud, half_rolled_back):
    stack, ids = half_rolled_back
    cloud.remote.refused.discard("old")
    cloud.roll_back(stack)
    assert (stack.status, physical_ids(stack)) == ("UPDATE_ROLLBACK_COMPLETE", ids)
    assert cloud.remote.things.keys() == set(ids.values())


def test_a_stack_deleted_after_its_rollback_failed_leaves_nothing(cloud, half_rolled_back):
    stack, _ = half_rolled_back
    cloud.delete(stack)
    assert (stack.status, cloud.remote.things) == ("DELETE_COMPLETE", {})


def test_a_replacement_that_cannot_be_deleted_keeps_its_stack(cloud, half_rolled_back):
    stack, ids = half_rolled_back
    cloud.remote.stuck.add("2")
    cloud.delete(stack)
    assert (stack.status, stack.reason) == ("DELETE_FAILED", "The following resource(s) failed to delete: [A]. ")
    assert cloud.remote.things.keys().isdisjoint(ids.values())
    cloud.remote.stuck.discard("2")
    cloud.delete(stack)
    assert (stack.status, cloud.remote.things) == ("DELETE_COMPLETE", {})


def test_a_resource_of_a_stopped_update_that_the_next_replaces_is_deleted(cloud, template, resource):
    stack = cloud.create("s", template(A=resource()))
    ids = physical_ids(stack)
    stopped = template(A=resource(), B=resource(CidrBlock="1"), C=resource(**FAILING))
    cloud.update("s", stopped, DisableRollback=True)
    cloud.update("s", template(A=resource(), B=resource(CidrBlock="2"), C=resource(**FAILING)))
    assert (stack.status, physical_ids(stack)) == ("UPDATE_ROLLBACK_COMPLETE", ids)
    assert cloud.remote.things.keys() == set(ids.values())


def test_a_clean_up_tries_everything(cloud, template, resource):
    """Dependencies of a resource that could not be removed are removed, or rejected by their service."""
    stack = cloud.create("s", template(A=resource(), B=resource(Value="stuck", DependsOn="A"), C=resource()))
    cloud.update("s", template(C=resource()))
    assert "A DELETE_COMPLETE" in cloud.history(stack)
    assert len(cloud.remote.things) == 2, "B, which is nobody's, and C"

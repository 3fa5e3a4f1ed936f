"""CancelUpdateStack: a running update goes back before its next resource."""

from __future__ import annotations

import pytest

from local_aws.contract import ServiceError


@pytest.fixture
def updated(cloud, template, resource):
    """Cancels an update of A and B while this resource is updated."""

    def update(while_put, outputs=None, **given):
        stack = cloud.create("s", template(A=resource(Value="1"), B=resource(Value="1", DependsOn="A")))

        def cancel(logical_id):
            if logical_id == while_put and stack.status == "UPDATE_IN_PROGRESS":
                cloud.engine.cancel_update(stack, {"ClientRequestToken": "mine"})

        cloud.remote.on_put = cancel
        cloud.remote.calls.clear()
        later = template(outputs, A=resource(Value="2"), B=resource(Value="2", DependsOn="A"))
        return cloud.update("s", later, ClientRequestToken="update", **given)

    return update


@pytest.mark.parametrize("given", [{}, {"DisableRollback": True}])
def test_the_next_resource_is_not_begun(cloud, updated, given):
    stack = updated("A", **given)
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert cloud.remote.calls == ["update A", "update A"]
    assert [each.properties for each in stack.resources.values()] == [{"Value": "1"}, {"Value": "1"}]
    back = next(event for event in stack.events if event.status == "UPDATE_ROLLBACK_IN_PROGRESS")
    assert (back.reason, back.request_token) == ("User Initiated", "mine")


def test_an_update_goes_back_after_its_last_resource(cloud, updated):
    stack = updated("B", {"O": {"Value": "new"}})
    assert (stack.status, stack.outputs) == ("UPDATE_ROLLBACK_COMPLETE", ())
    assert [each.properties for each in stack.resources.values()] == [{"Value": "1"}, {"Value": "1"}]
    cloud.remote.on_put = lambda _: None
    assert cloud.update("s", {"Resources": {"A": {"Type": "AWS::EC2::Subnet"}}}).status == "UPDATE_COMPLETE"


def test_a_cancelled_update_whose_resource_fails_goes_back(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(Value="1")))
    cloud.remote.on_put = lambda _: stack.status == "UPDATE_IN_PROGRESS" and cloud.engine.cancel_update(stack, {})
    cloud.update("s", template(A=resource(Value="refused")), DisableRollback=True)
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"


def test_an_update_alone_can_be_cancelled(cloud, template, resource):
    refusals = []

    def cancel(_):
        try:
            cloud.engine.cancel_update(cloud.find("s"), {})
        except ServiceError as error:
            refusals.append(error.message)

    cloud.remote.on_put = cancel
    stack = cloud.create("s", template(A=resource(Value="1")))
    assert stack.status == "CREATE_COMPLETE"
    with pytest.raises(ServiceError, match="CancelUpdateStack cannot be called from current stack status"):
        cloud.engine.cancel_update(stack, {})
    assert refusals == ["CancelUpdateStack cannot be called from current stack status"]

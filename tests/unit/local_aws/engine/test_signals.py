"""CreationPolicy: a resource is created when its signals have come, and fails without them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from local_aws.clock import CLOCK
from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError

INSTANCE, GROUP = "AWS::EC2::Instance", "AWS::AutoScaling::AutoScalingGroup"


@pytest.fixture(autouse=True)
def _machine_time():
    yield
    CLOCK.reset()


@pytest.fixture
def waiting(cloud, template, resource):
    """Starts a stack with A, which waits, and B after it."""

    def start(signal, kind=INSTANCE, percent=None, **given):
        policy = {"ResourceSignal": signal}
        if percent is not None:
            policy["AutoScalingCreationPolicy"] = {"MinSuccessfulInstancesPercent": percent}
        parts = template(A=resource(kind, CreationPolicy=policy), B=resource(DependsOn="A"))
        return cloud.start("s", parts, **given)

    return start


def ended(cloud, stack):
    cloud.engine.wait()
    return stack


def reason_of(stack):
    return next(event.reason for event in stack.events if event.status == "CREATE_FAILED" and event.logical_id == "A")


def test_a_resource_waits_for_its_signals(cloud, waiting):
    stack = waiting({"Count": 2})
    assert stack.resources["A"].status == "CREATE_IN_PROGRESS"
    cloud.signal(stack, "A", "i-1=SUCCESS", "i-1=SUCCESS")
    assert "B" not in stack.resources
    cloud.signal(stack, "A", "i-2=SUCCESS")
    assert ended(cloud, stack).status == "CREATE_COMPLETE"
    assert [(event.status, event.reason) for event in stack.events if event.logical_id == "A"] == [
        ("CREATE_IN_PROGRESS", None),
        ("CREATE_IN_PROGRESS", "Resource creation Initiated"),
        ("CREATE_IN_PROGRESS", "Received SUCCESS signal with UniqueId i-1"),
        ("CREATE_IN_PROGRESS", "Received SUCCESS signal with UniqueId i-2"),
        ("CREATE_COMPLETE", None),
    ]


def test_a_count_of_none_waits_for_none(cloud, waiting):
    assert ended(cloud, waiting({"Count": "0"})).status == "CREATE_COMPLETE"


def test_other_types_wait_for_none(cloud, waiting):
    """Source: aws-cloudformation/cfn-lint#3598."""
    assert ended(cloud, waiting({"Count": 1}, "AWS::EC2::Subnet")).status == "CREATE_COMPLETE"


def test_the_count_may_be_a_parameter(cloud, template, resource):
    policy = {"ResourceSignal": {"Count": {"Ref": "N"}, "Timeout": {"Fn::Sub": "PT${N}M"}}}
    parts = template(A=resource(INSTANCE, CreationPolicy=policy))
    parts["Parameters"] = {"N": {"Type": "Number"}}
    stack = cloud.start("s", parts, Parameters=[{"ParameterKey": "N", "ParameterValue": "2"}])
    cloud.signal(stack, "A", "i-1=SUCCESS", "i-2=SUCCESS")
    assert ended(cloud, stack).status == "CREATE_COMPLETE"


def test_the_time_is_that_of_the_clock(cloud, waiting):
    stack = waiting({"Count": 3, "Timeout": "PT1H30M"})
    cloud.signal(stack, "A", "i-1=SUCCESS")
    CLOCK.advance(timedelta(minutes=89))
    assert stack.in_progress
    CLOCK.advance(timedelta(minutes=1))
    assert ended(cloud, stack).status == "ROLLBACK_COMPLETE"
    assert reason_of(stack) == "Failed to receive 2 resource signal(s) within the specified duration"
    assert cloud.remote.things == {}


def test_a_failure_fails_an_instance(cloud, waiting):
    stack = waiting({})
    cloud.signal(stack, "A", "i-1=FAILURE")
    assert ended(cloud, stack).status == "ROLLBACK_COMPLETE"
    assert reason_of(stack) == "Received FAILURE signal with UniqueId i-1"
    assert stack.reason == "The following resource(s) failed to create: [A]. Rollback requested by user."


@pytest.mark.parametrize(
    ("percent", "signals", "reason"),
    [
        (None, ["i-1=FAILURE"], "Received 1 FAILURE signal(s) out of 4.  Unable to satisfy 100%"),
        (50, ["i-1=FAILURE", "i-2=FAILURE", "i-3=FAILURE"], "Received 3 FAILURE signal(s) out of 4.  Unable"),
        (50, ["i-1=SUCCESS"], "Received 1 SUCCESS signal(s) out of 4.  Unable to satisfy 50% MinSuccessfulInst"),
    ],
)
def test_too_few_instances_of_a_group(cloud, waiting, percent, signals, reason):
    stack = waiting({"Count": 4}, GROUP, percent)
    cloud.signal(stack, "A", *signals)
    CLOCK.advance(timedelta(minutes=5))
    assert ended(cloud, stack).status == "ROLLBACK_COMPLETE"
    assert reason_of(stack).startswith(reason)


def test_enough_instances_of_a_group(cloud, waiting):
    stack = waiting({"Count": 4}, GROUP, 50)
    cloud.signal(stack, "A", "i-1=SUCCESS", "i-2=FAILURE", "i-3=SUCCESS")
    assert stack.in_progress
    CLOCK.advance(timedelta(minutes=5))
    assert ended(cloud, stack).status == "CREATE_COMPLETE"
    reasons = [event.reason for event in stack.events]
    assert (
        "Failed to receive 1 resource signal(s) for the current batch.  "
        "Each resource signal timeout is counted as a FAILURE." in reasons
    )


def test_what_failed_to_be_created_stays_until_the_next_operation(cloud, waiting, template, resource):
    stack = waiting({}, DisableRollback=True)
    cloud.signal(stack, "A", "i-1=FAILURE")
    assert ended(cloud, stack).status == "CREATE_FAILED"
    assert (stack.resources["A"].status, len(cloud.remote.things)) == ("CREATE_FAILED", 1)
    before = stack.resources["A"].physical_id
    stack = ended(cloud, cloud.start("s", template(A=resource(INSTANCE), B=resource(DependsOn="A"))))
    assert stack.status == "UPDATE_COMPLETE"
    assert cloud.remote.calls == ["create A", "delete A", "create A", "create B"]
    assert stack.resources["A"].physical_id != before


def test_what_failed_to_be_created_and_cannot_be_deleted(cloud, template, resource):
    policy = {"ResourceSignal": {"Timeout": "PT0S"}}
    parts = template(A=resource(INSTANCE, Value="stuck", CreationPolicy=policy))
    stack = cloud.create("s", parts, DisableRollback=True)
    cloud.update("s", template(A=resource(INSTANCE, Value="2")), DisableRollback=True)
    assert (stack.status, list(stack.resources)) == ("UPDATE_FAILED", ["A"])
    cloud.remote.stuck = set()
    assert cloud.update("s", template(A=resource(INSTANCE, Value="2"))).status == "UPDATE_COMPLETE"
    assert list(cloud.remote.things) == [stack.resources["A"].physical_id]


def test_a_replacement_waits_and_is_removed_when_it_fails(cloud, template, resource):
    def parts(image, **policy):
        return template(A=resource(INSTANCE, ImageId=image, **policy))

    stack = cloud.create("s", parts("ami-1"))
    first = stack.resources["A"].physical_id
    cloud.start("s", parts("ami-2", CreationPolicy={"ResourceSignal": {"Count": 1}}))
    assert stack.resources["A"].status == "UPDATE_IN_PROGRESS"
    cloud.signal(stack, "A", "i-1=FAILURE")
    assert ended(cloud, stack).status == "UPDATE_ROLLBACK_COMPLETE"
    assert list(cloud.remote.things) == [first] == [stack.resources["A"].physical_id]
    cloud.start("s", parts("ami-2", CreationPolicy={"ResourceSignal": {"Count": 1}}))
    cloud.signal(stack, "A", "i-2=SUCCESS")
    assert ended(cloud, stack).status == "UPDATE_COMPLETE"
    assert list(cloud.remote.things) == [stack.resources["A"].physical_id] != [first]


def test_a_cancelled_update_waits_no_longer(cloud, template, resource):
    stack = cloud.create("s", template(B=resource()))
    parts = template(B=resource(), A=resource(INSTANCE, CreationPolicy={"ResourceSignal": {}}))
    cloud.start("s", parts)
    cloud.engine.cancel_update(stack, {})
    assert ended(cloud, stack).status == "UPDATE_ROLLBACK_COMPLETE"
    assert (reason_of(stack), len(cloud.remote.things)) == ("Resource creation cancelled", 1)


def test_the_time_of_the_stack_ends_the_wait(cloud, waiting):
    stack = waiting({"Timeout": "PT1H"}, TimeoutInMinutes=10)
    CLOCK.advance(timedelta(minutes=10))
    assert ended(cloud, stack).status == "ROLLBACK_COMPLETE"
    assert stack.reason == "Stack creation time exceeded the specified timeout. Rollback requested by user."
    assert reason_of(stack) == "Resource creation cancelled"


def test_a_server_that_is_emptied_does_not_wait(cloud, waiting):
    stack = waiting({})
    cloud.engine.forget()
    assert not cloud.engine.awaits_signals
    assert (stack.status, cloud.find("s")) == ("CREATE_FAILED", None)
    assert cloud.create("s", {"Resources": {"A": {"Type": "AWS::EC2::Subnet"}}}).status == "CREATE_COMPLETE"


def test_signals_that_nothing_waits_for(cloud, waiting, template, resource):
    stack = waiting({})
    with pytest.raises(ServiceError, match="Resource B is not waiting for signals and cannot be signaled"):
        cloud.signal(stack, "B", "i-1=SUCCESS")
    cloud.signal(stack, "A", "i-1=SUCCESS")
    ended(cloud, stack)
    with pytest.raises(ServiceError, match=f"Stack {stack.stack_id} is in CREATE_COMPLETE state and cannot be signal"):
        cloud.signal(stack, "A", "i-2=SUCCESS")


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ([], "Template format error: Expected an object"),
        ({"ResourceSignal": {"Timeout": "15M"}}, r"\[/Resources/A/CreationPolicy\] Expected `str` matching regex"),
        ({"ResourceSignal": {"Count": -1}}, r"\[/Resources/A/CreationPolicy\] Expected `int` >= 0"),
        ({"StartFleet": True}, "unknown field `StartFleet`"),
        ({"ResourceSignal": {"Count": {"Ref": "None"}}}, r"Unresolved resource dependencies \[None\]"),
        ({"ResourceSignal": {"Count": {"Fn::Rot13": "1"}}}, "Fn::Rot13"),
    ],
)
def test_policies_that_are_not_valid(cloud, template, resource, policy, text):
    with pytest.raises(TemplateError, match=text):
        cloud.create("s", template(A=resource(INSTANCE, CreationPolicy=policy)))

"""UpdatePolicy of an Auto Scaling group."""

from __future__ import annotations

from datetime import timedelta

import pytest

from local_aws.clock import CLOCK
from local_aws.cloudformation.errors import TemplateError

GROUP = "AWS::AutoScaling::AutoScalingGroup"
ROLLING = {"AutoScalingRollingUpdate": {"MaxBatchSize": "2", "WaitOnResourceSignals": "true", "PauseTime": "PT10M"}}
REPLACING = {"AutoScalingReplacingUpdate": {"WillReplace": "true"}}


@pytest.fixture(autouse=True)
def _machine_time():
    yield
    CLOCK.reset()


@pytest.fixture
def group(cloud, template, resource):
    """Deploys a group with this launch template."""

    def deploy(version, policy, **properties):
        return cloud.start("s", template(A=resource(GROUP, LaunchTemplate=version, UpdatePolicy=policy, **properties)))

    return deploy


def sends(cloud, *batches):
    """Each batch of instances sends these signals when it has started."""
    left = list(batches)

    def put(_):
        if cloud.remote.calls[-1].startswith("roll") and left:
            cloud.signal(cloud.find("s"), "A", *left.pop(0))

    cloud.remote.on_put = put


def ended(cloud, stack):
    cloud.engine.wait()
    return stack.status


def test_instances_are_replaced_in_batches_that_signal(cloud, group):
    stack = group("1", ROLLING, DesiredCapacity="3")
    sends(cloud, ["i-1=SUCCESS", "i-2=SUCCESS"], ["i-3=SUCCESS"])
    group("2", ROLLING, DesiredCapacity="3")
    assert ended(cloud, stack) == "UPDATE_COMPLETE"
    assert cloud.remote.calls == ["create A", "update A", "roll A 2", "roll A 1"]
    statuses = [event.status for event in stack.events if (event.reason or "").startswith("Received SUCCESS")]
    assert statuses == ["UPDATE_IN_PROGRESS"] * 3


def test_instances_are_replaced_without_signals(cloud, group):
    policy = {"AutoScalingRollingUpdate": {}}
    stack = group("1", policy, DesiredCapacity="2")
    group("2", policy, DesiredCapacity="2")
    assert (ended(cloud, stack), cloud.remote.calls[-2:]) == ("UPDATE_COMPLETE", ["roll A 1", "roll A 1"])


def test_other_changes_replace_no_instances(cloud, group):
    stack = group("1", ROLLING, MaxSize="3")
    group("1", ROLLING, MaxSize="4")
    assert (ended(cloud, stack), cloud.remote.calls[-1]) == ("UPDATE_COMPLETE", "update A")


def test_a_batch_that_fails_takes_the_group_back(cloud, group):
    """The instances of the rollback are waited for, too."""
    stack = group("1", ROLLING, DesiredCapacity="2")
    sends(cloud, ["i-1=SUCCESS", "i-2=FAILURE"], ["i-3=SUCCESS", "i-4=SUCCESS"])
    group("2", ROLLING, DesiredCapacity="2")
    assert ended(cloud, stack) == "UPDATE_ROLLBACK_COMPLETE"
    assert cloud.remote.calls == ["create A", "update A", "roll A 2", "update A", "roll A 2"]
    reason = next(event.reason for event in stack.events if event.status == "UPDATE_FAILED")
    assert reason == (
        "Received 1 FAILURE signal(s) out of 2.  Unable to satisfy 100% MinSuccessfulInstancesPercent requirement"
    )
    assert cloud.remote.things[stack.resources["A"].physical_id]["LaunchTemplate"] == "1"


def test_the_time_of_a_batch_is_its_pause_time(cloud, group):
    stack = group("1", ROLLING)
    sends(cloud, [], ["i-1=SUCCESS"])
    group("2", ROLLING, DesiredCapacity="1")
    CLOCK.advance(timedelta(minutes=10))
    ended(cloud, stack)
    reason = next(event.reason for event in stack.events if event.status == "UPDATE_FAILED")
    assert reason.startswith("Received 0 SUCCESS signal(s) out of 1.")


def test_a_cancelled_rolling_update_goes_back(cloud, group):
    stack = group("1", {"AutoScalingRollingUpdate": {}})
    group("2", ROLLING)
    cloud.engine.cancel_update(stack, {})
    assert ended(cloud, stack) == "UPDATE_ROLLBACK_COMPLETE"
    assert "Resource update cancelled" in [event.reason for event in stack.events]


def test_a_group_that_is_replaced(cloud, group):
    stack = group("1", REPLACING)
    first = stack.resources["A"].physical_id
    group("1", REPLACING, MaxSize="4")
    assert (ended(cloud, stack), stack.resources["A"].physical_id) == ("UPDATE_COMPLETE", first)
    group("2", REPLACING, MaxSize="4")
    assert ended(cloud, stack) == "UPDATE_COMPLETE"
    assert list(cloud.remote.things) == [stack.resources["A"].physical_id] != [first]


@pytest.mark.parametrize(("ignored", "desired"), [("true", "7"), ("false", "2")])
def test_sizes_that_the_template_does_not_change(cloud, group, ignored, desired):
    policy = {"AutoScalingScheduledAction": {"IgnoreUnmodifiedGroupSizeProperties": ignored}}
    stack = group("1", policy, DesiredCapacity="2", MaxSize="8")
    remote = cloud.remote.things[stack.resources["A"].physical_id]
    remote["DesiredCapacity"] = "7"
    group("2", policy, DesiredCapacity="2", MaxSize="9")
    assert ended(cloud, stack) == "UPDATE_COMPLETE"
    remote = cloud.remote.things[stack.resources["A"].physical_id]
    assert (remote["DesiredCapacity"], remote["MaxSize"]) == (desired, "9")
    assert stack.resources["A"].properties["DesiredCapacity"] == "2"


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("text", "Template format error: Expected an object"),
        ({"CodeDeployLambdaAliasUpdate": {}}, "unknown field `CodeDeployLambdaAliasUpdate`"),
        ({"AutoScalingRollingUpdate": {"MaxBatchSize": 0}}, "Expected `int` >= 1"),
        ({"AutoScalingRollingUpdate": {"PauseTime": "P1D"}}, "Expected `str` matching regex"),
    ],
)
def test_policies_that_are_not_valid(cloud, template, resource, policy, text):
    with pytest.raises(TemplateError, match=text):
        cloud.create("s", template(A=resource(UpdatePolicy=policy)))

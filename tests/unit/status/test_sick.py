"""Each way in which a part of an environment is not healthy: verdict, cause, and a command that heals it."""

from __future__ import annotations

import pytest
from hint_commands import command_error

from local_aws.quotas import default_value, set_quota, vcpu_quotas
from local_aws.services.cloudwatch.fsx_metrics import fill

from .breaks import HEALED, NAME, bucket, disable_alarm_actions, group, heal
from .conftest import Deployed, Environment, Line, Read

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME)


def only(lines: list[Line]) -> Line:
    (line,) = lines
    return line


@pytest.mark.parametrize("name", HEALED)
def test_what_was_changed_by_hand_is_named_and_healed_by_its_command(
    name: str, environment: Environment, read: Read
) -> None:
    case = HEALED[name]
    case.break_it(environment)
    status = read(NAME)
    line = only(status.others)
    assert (status.exit, line.section, line.verdict) == (3, case.section, case.verdict)
    assert line.subject.startswith(case.subject)
    assert case.cause in line.cause
    heal(environment, line)
    assert read(NAME).others == []


def test_a_degraded_node_group_has_the_cause_of_the_launch(environment: Environment, read: Read) -> None:
    eks = environment.client("eks")
    eks.update_nodegroup_config(**group(environment), scalingConfig={"desiredSize": 1})
    for code in vcpu_quotas():
        set_quota(environment.aws.store, environment.plan.account, environment.plan.region, code, 128)
    eks.update_nodegroup_config(**group(environment), scalingConfig={"desiredSize": 2})
    status = read(NAME)
    line = only(status.others)
    assert (status.exit, line.subject, line.verdict) == (3, "trn1", "error")
    assert line.cause.startswith(
        "DEGRADED, 1 of 2 instances in service: EC2 did not launch instances of the group (AsgIn"
    )
    assert "VcpuLimitExceeded" in line.cause
    (data,) = [each for each in status.document["sections"] if each["title"] == "Compute groups"]
    assert data["lines"][0]["since"] is not None
    for code in vcpu_quotas():
        set_quota(environment.aws.store, environment.plan.account, environment.plan.region, code, default_value())
    heal(environment, line)
    assert read(NAME).others == []


def test_an_auto_scaling_group_that_lost_instances_is_an_error(environment: Environment, read: Read) -> None:
    scaling = environment.client("autoscaling")
    described = environment.client("eks").describe_nodegroup(**group(environment))["nodegroup"]
    (name,) = [each["name"] for each in described["resources"]["autoScalingGroups"]]
    scaling.suspend_processes(AutoScalingGroupName=name, ScalingProcesses=["Launch"])
    scaling.set_desired_capacity(AutoScalingGroupName=name, DesiredCapacity=15)
    line = only(read(NAME).others)
    assert (line.subject, line.verdict) == ("trn1", "error")
    assert line.cause == "15 of 16 instances in service; suspended processes of Auto Scaling: Launch"
    scaling.resume_processes(AutoScalingGroupName=name, ScalingProcesses=["Launch"])
    scaling.set_desired_capacity(AutoScalingGroupName=name, DesiredCapacity=16)


def test_a_firing_alarm_is_an_error_with_its_advice(environment: Environment, read: Read) -> None:
    alarm, cloudwatch = f"{NAME}-ecc-events", environment.client("cloudwatch")
    cloudwatch.set_alarm_state(AlarmName=alarm, StateValue="ALARM", StateReason="3 datapoints were above 0")
    status = read(NAME)
    line = only(status.others)
    assert (status.exit, line.section, line.subject, line.verdict) == (3, "Alarms", alarm, "error")
    assert "Do: " in line.cause
    assert "3 datapoints were above 0" in line.cause
    assert command_error(line.command or "") == ""
    cloudwatch.set_alarm_state(AlarmName=alarm, StateValue="INSUFFICIENT_DATA", StateReason="none")
    assert only(read(NAME).others).verdict == "warning"
    cloudwatch.set_alarm_state(AlarmName=alarm, StateValue="OK", StateReason="none")


def test_a_file_system_that_is_nearly_full_is_not_healthy_until_it_has_grown(
    environment: Environment, read: Read
) -> None:
    (system,) = environment.client("fsx").describe_file_systems()["FileSystems"]
    identity, place = system["FileSystemId"], (environment.plan.account, environment.plan.region)
    for free, verdict in ((8, "warning"), (2, "error")):
        fill(environment.aws.store, *place, identity, 100 - free)
        line = only(read(NAME).others)
        assert (line.subject, line.verdict) == ("free capacity of Lustre", verdict)
        assert f"{free} % of {system['StorageCapacity']:,} GiB are free" in line.cause
    heal(environment, line)
    assert read(NAME).others == []
    fill(environment.aws.store, *place, identity, 0)


def test_lifecycle_rules_that_are_gone_are_a_warning(environment: Environment, read: Read) -> None:
    s3, name = environment.client("s3"), bucket(environment)
    rules = s3.get_bucket_lifecycle_configuration(Bucket=name)["Rules"]
    s3.delete_bucket_lifecycle(Bucket=name)
    line = only(read(NAME).others)
    assert (line.subject, line.verdict) == (f"lifecycle of {name}", "warning")
    assert line.cause.startswith("0 of 2 rules enabled, without expire-archive")
    assert command_error(line.command or "") == ""
    s3.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration={"Rules": rules})


def test_the_newest_complete_checkpoint_is_the_one_with_the_last_manifest(environment: Environment, read: Read) -> None:
    s3, name = environment.client("s3"), bucket(environment)

    def line() -> Line:
        return next(line for line in read(NAME).lines if line.subject == "newest complete checkpoint")

    assert (line().verdict, line().cause) == ("healthy", f"no object is below s3://{name}/checkpoints/ yet")
    s3.put_object(Bucket=name, Key="checkpoints/default/llama/step-1/model", Body=b"weights")
    assert (line().verdict, line().cause[:38]) == ("warning", "none of 1 object below s3://train-trn1")
    assert command_error(line().command or "") == ""
    for key in ("step-1/_manifest.json", "step-2/model", "_incomplete/step-3/_manifest.json"):
        s3.put_object(Bucket=name, Key=f"checkpoints/default/llama/{key}", Body=b"{}")
    assert line().verdict == "healthy"
    assert line().cause.startswith("checkpoints/default/llama/step-1 of ")


def test_fail_on_error_leaves_a_warning_to_its_line(environment: Environment, command: Read) -> None:
    disable_alarm_actions(environment)
    assert command(NAME, "--fail-on", "error").exit == 0
    status = command(NAME)
    assert (status.exit, status.document["verdict"]) == (3, "warning")
    heal(environment, only(status.others))

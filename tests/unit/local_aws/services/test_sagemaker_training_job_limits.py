"""Rejections of CreateTrainingJob and the operations of jobs, the quotas of jobs, and their training plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from local_aws.clock import CLOCK, DELAYS
from local_aws.server import LocalAws
from tests.unit.local_aws import hyperpod
from tests.unit.local_aws.training_jobs import (
    BUCKET,
    IMAGE,
    TYPE,
    channel,
    in_s3,
    job,
    make_bucket,
    resources,
    role_of,
)

Refused = Callable[..., tuple[str, str]]
ACCOUNT, REGION = "300000000000", "us-west-2"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PLAN_START = datetime(2026, 12, 2, 11, 30, tzinfo=UTC)
PLAN_END = datetime(2026, 12, 4, 11, 30, tzinfo=UTC)
INVALID = "ValidationException"
GROUPS = [{"InstanceGroupName": "a", "InstanceType": TYPE, "InstanceCount": 1}]
FILES = channel(
    {
        "FileSystemDataSource": {
            "FileSystemId": "fs-0123456789abcdef0",
            "FileSystemAccessMode": "rw",
            "FileSystemType": "FSxLustre",
            "DirectoryPath": "/fsx",
        }
    }
)
ALGORITHM = {"TrainingInputMode": "File"}


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """The first of December at noon."""
    CLOCK.set(NOON)
    yield
    CLOCK.reset()
    DELAYS.reset()


@pytest.fixture
def role(client: Callable[[str], Any]) -> str:
    """The ARN of the role of jobs, whose bucket is there too."""
    make_bucket(client)
    return role_of(client)


@pytest.fixture
def buy(sagemaker: Any) -> Callable[..., str]:
    """Buys a plan of two instances from PLAN_START to PLAN_END and returns its ARN."""

    def purchase(target: str = "training-job") -> str:
        wish = {"InstanceType": TYPE, "InstanceCount": 2, "DurationHours": 48, "TargetResources": [target]}
        offered = sagemaker.search_training_plan_offerings(**wish)["TrainingPlanOfferings"]
        offering = offered[1]["TrainingPlanOfferingId"]
        made = sagemaker.create_training_plan(TrainingPlanName="plan", TrainingPlanOfferingId=offering)
        return str(made["TrainingPlanArn"])

    return purchase


def statuses(sagemaker: Any, name: str) -> tuple[str, str]:
    row = sagemaker.describe_training_job(TrainingJobName=name)
    return row["TrainingJobStatus"], row["SecondaryStatus"]


def in_use(sagemaker: Any) -> tuple[int, int]:
    plan = sagemaker.describe_training_plan(TrainingPlanName="plan")
    return plan["InUseInstanceCount"], plan["AvailableInstanceCount"]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"ResourceConfig": resources(InstanceGroups=GROUPS)}, "InstanceType or InstanceCount cannot be specified"),
        ({"ResourceConfig": resources(InstanceCount=None)}, "must have InstanceType and InstanceCount"),
        ({"ResourceConfig": None}, "must have InstanceType and InstanceCount"),
        ({"ResourceConfig": {"InstanceGroups": [{**GROUPS[0], "InstanceCount": 0}]}}, "group a has no instance"),
        ({"ResourceConfig": resources(InstanceType="ml.trn2.3xlarge")}, "Member must satisfy enum value set"),
        ({"ResourceConfig": resources(VolumeKmsKeyId="key")}, f"not supported for {TYPE}"),
        ({"ResourceConfig": resources(KeepAlivePeriodInSeconds=3601)}, "3601 is greater than 3600"),
        ({"ResourceConfig": {"InstanceGroups": GROUPS, "KeepAlivePeriodInSeconds": 60}}, "or with InstanceGroups"),
        ({"ResourceConfig": resources(SelectedInstanceType=TYPE)}, "read-only"),
        ({"ResourceConfig": {"InstancePreferences": [{"InstanceType": TYPE}]}}, "no InstancePreferences"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 28 * 86400 + 1}}, "28 days"),
        ({"StoppingCondition": {"MaxWaitTimeInSeconds": 90000}}, "only supported when EnableManagedSpotTraining"),
        ({"EnableManagedSpotTraining": True}, "It must be present"),
        ({"HyperParameters": {f"p{number}": "1" for number in range(101)}}, "101 hyperparameters"),
        ({"Environment": {f"P{number}": "1" for number in range(101)}}, "101 environment variables"),
        ({"InputDataConfig": FILES}, "channel train needs VpcConfig"),
        ({"InputDataConfig": in_s3(f"s3://{BUCKET}/none")}, f'under S3 URL "s3://{BUCKET}/none"'),
        ({"InputDataConfig": in_s3("s3://no-such-bucket/input")}, "under S3 URL"),
        ({"OutputDataConfig": {"S3OutputPath": "s3://no-such-bucket/out"}}, "bucket no-such-bucket"),
        ({"CheckpointConfig": {"S3Uri": "s3://no-such-bucket/out"}}, "bucket no-such-bucket"),
        ({"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/none"}, "Could not assume role"),
        ({"AlgorithmSpecification": ALGORITHM}, "either TrainingImage or AlgorithmName"),
        ({"AlgorithmSpecification": {**ALGORITHM, "TrainingImage": "pytorch:2"}}, "Invalid training image"),
        (
            {"AlgorithmSpecification": {**ALGORITHM, "TrainingImage": IMAGE.replace("us-west-2", "us-east-1")}},
            "'us-west-2.amazonaws.com'",
        ),
        (
            {"VpcConfig": {"Subnets": ["subnet-0123456789abcdef0"], "SecurityGroupIds": ["sg-0123456789abcdef0"]}},
            "subnet-0123456789abcdef0",
        ),
    ],
)
def test_a_job_that_the_service_does_not_accept_is_rejected(
    sagemaker: Any, role: str, refused: Refused, members: Any, text: str
) -> None:
    code, message = refused(sagemaker.create_training_job, **job(role, **members))
    assert (code, text in message) == (INVALID, True), message
    assert sagemaker.list_training_jobs()["TrainingJobSummaries"] == []


@pytest.mark.parametrize(
    ("wait", "is_accepted"), [(7199, False), (7200, True)], ids=["shorter than the runtime", "as long as the runtime"]
)
def test_a_spot_job_waits_at_least_as_long_as_it_runs(
    sagemaker: Any, role: str, refused: Refused, wait: int, is_accepted: bool
) -> None:
    condition = {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": wait}
    spot = job(role, EnableManagedSpotTraining=True, StoppingCondition=condition)
    warm = {**spot, "TrainingJobName": "warm", "ResourceConfig": resources(KeepAlivePeriodInSeconds=60)}
    if is_accepted:
        sagemaker.create_training_job(**spot)
        assert "not supported with EnableManagedSpotTraining" in refused(sagemaker.create_training_job, **warm)[1]
    else:
        assert "greater than or equal to" in refused(sagemaker.create_training_job, **spot)[1]


def test_a_key_is_accepted_for_a_type_without_an_instance_store(sagemaker: Any, role: str) -> None:
    config = resources(InstanceType="ml.m7i.xlarge", VolumeKmsKeyId="key")
    sagemaker.create_training_job(**job(role, ResourceConfig=config))
    assert statuses(sagemaker, "first") == ("InProgress", "Training")


def test_a_role_that_does_not_trust_sagemaker_is_rejected(
    sagemaker: Any, role: str, refused: Refused, client: Callable[[str], Any]
) -> None:
    other = hyperpod.make_role(client, "of-ec2", "ec2.amazonaws.com")
    code, message = refused(sagemaker.create_training_job, **job(role, RoleArn=other))
    assert (code, message.startswith(f"Could not assume role {other}.")) == (INVALID, True)


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("describe_training_job", {}),
        ("stop_training_job", {}),
        ("delete_training_job", {}),
        ("update_training_job", {"ResourceConfig": {"KeepAlivePeriodInSeconds": 60}}),
    ],
)
def test_an_operation_on_an_unknown_job_is_rejected(
    sagemaker: Any, refused: Refused, operation: str, parameters: Any
) -> None:
    code, message = refused(getattr(sagemaker, operation), TrainingJobName="none", **parameters)
    assert (code, message) == (INVALID, "Requested resource not found.")


def test_an_update_of_another_member_than_the_keep_alive_period_is_rejected(
    sagemaker: Any, role: str, refused: Refused
) -> None:
    sagemaker.create_training_job(**job(role))
    debug = {"EnableRemoteDebug": True}
    code, message = refused(sagemaker.update_training_job, TrainingJobName="first", RemoteDebugConfig=debug)
    assert (code, "KeepAlivePeriodInSeconds" in message) == (INVALID, True)


def test_a_network_is_in_one_vpc_and_has_addresses_for_all_instances(
    sagemaker: Any, role: str, refused: Refused, client: Callable[[str], Any], ground: Any
) -> None:
    ec2 = client("ec2")
    group = hyperpod.make_group(client, ground.vpc)
    small = ec2.create_subnet(VpcId=ground.vpc, CidrBlock="10.0.200.0/28")["Subnet"]
    other = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    foreign = ec2.create_subnet(VpcId=other, CidrBlock="10.1.0.0/24")["Subnet"]["SubnetId"]

    def wish(subnet: str, count: int) -> dict[str, Any]:
        network = {"Subnets": [subnet], "SecurityGroupIds": [group]}
        return job(role, VpcConfig=network, ResourceConfig=resources(InstanceCount=count))

    free = small["AvailableIpAddressCount"]
    code, message = refused(sagemaker.create_training_job, **wish(small["SubnetId"], 3))
    assert (code, message) == (INVALID, f"The job needs 15 private IP addresses, and its subnets have {free}")
    code, message = refused(sagemaker.create_training_job, **wish(foreign, 1))
    assert (code, ground.vpc in message) == (INVALID, True)
    sagemaker.create_training_job(**wish(small["SubnetId"], 2))
    assert statuses(sagemaker, "first")[0] == "InProgress"


@pytest.mark.parametrize(
    ("code", "members", "kind"),
    [
        ("L-00000007", {}, "training job usage"),
        (
            "L-00000011",
            {"EnableManagedSpotTraining": True, "StoppingCondition": {"MaxWaitTimeInSeconds": 86400}},
            "spot training job usage",
        ),
    ],
)
def test_jobs_in_progress_count_against_the_quota_of_their_type(
    sagemaker: Any, role: str, refused: Refused, local_aws: LocalAws, code: str, members: Any, kind: str
) -> None:
    local_aws.store.table(ACCOUNT, REGION, "service-quotas.values")[f"sagemaker/{code}"] = 3
    sagemaker.create_training_job(**job(role, **members))
    second = job(role, TrainingJobName="second", **members)
    text = (
        f"The account-level service limit '{TYPE} for {kind}' is 3 Instances, with current utilization of 2 Instances "
        "and a request delta of 2 Instances. Please contact AWS support to request an increase for this limit."
    )
    assert refused(sagemaker.create_training_job, **second) == ("ResourceLimitExceeded", text)
    CLOCK.advance(timedelta(minutes=11))
    sagemaker.create_training_job(**second)


def test_a_warm_pool_needs_its_quota_and_counts_against_that_of_jobs(
    sagemaker: Any, role: str, refused: Refused, local_aws: LocalAws
) -> None:
    values = local_aws.store.table(ACCOUNT, REGION, "service-quotas.values")
    values |= {"sagemaker/L-00000015": 2, "sagemaker/L-00000007": 4}
    warm = {"ResourceConfig": resources(KeepAlivePeriodInSeconds=3600)}
    for name in ("first", "second"):
        sagemaker.create_training_job(**job(role, TrainingJobName=name, **warm))
    CLOCK.advance(timedelta(minutes=11))
    rows = [sagemaker.describe_training_job(TrainingJobName=name) for name in ("first", "second")]
    assert [row["WarmPoolStatus"]["Status"] for row in rows] == ["Available", "Terminated"]
    larger = job(role, TrainingJobName="third", ResourceConfig=resources(InstanceCount=3))
    code, message = refused(sagemaker.create_training_job, **larger)
    assert (code, "current utilization of 2 Instances" in message) == ("ResourceLimitExceeded", True)


def test_quotas_of_jobs_are_those_of_a_new_account_where_one_is_played(
    client: Callable[[str], Any], local_aws: LocalAws
) -> None:
    wish = {"ServiceCode": "sagemaker", "QuotaCode": "L-00000007"}
    read = client("service-quotas").get_service_quota
    assert read(**wish)["Quota"]["QuotaName"] == f"{TYPE} for training job usage"
    assert read(**wish)["Quota"]["Value"] == 100
    local_aws.store.is_fresh_account = True
    try:
        assert read(**wish)["Quota"]["Value"] == 0
    finally:
        local_aws.store.is_fresh_account = False


def test_a_job_waits_for_its_plan_and_is_stopped_30_minutes_before_the_plan_ends(
    sagemaker: Any, role: str, buy: Callable[..., str]
) -> None:
    arn = buy()
    DELAYS.training_job = timedelta(days=5)
    condition = {"MaxRuntimeInSeconds": 7 * 86400}
    config = resources(TrainingPlanArn=arn)
    sagemaker.create_training_job(**job(role, ResourceConfig=config, StoppingCondition=condition))
    assert statuses(sagemaker, "first") == ("InProgress", "Pending")
    assert in_use(sagemaker) == (0, 2)
    CLOCK.set(PLAN_START + timedelta(minutes=1))
    assert statuses(sagemaker, "first") == ("InProgress", "Training")
    assert in_use(sagemaker) == (2, 0)
    row = sagemaker.describe_training_job(TrainingJobName="first")
    assert row["TrainingStartTime"] == PLAN_START
    (summary,) = sagemaker.list_training_jobs(TrainingPlanArnEquals=arn)["TrainingJobSummaries"]
    assert summary["TrainingPlanArn"] == arn
    CLOCK.set(PLAN_END - timedelta(minutes=31))
    assert statuses(sagemaker, "first") == ("InProgress", "Training")
    CLOCK.set(PLAN_END - timedelta(minutes=29))
    assert statuses(sagemaker, "first") == ("Stopping", "Stopping")
    CLOCK.set(PLAN_END - timedelta(minutes=27))
    assert statuses(sagemaker, "first") == ("Stopped", "Stopped")
    assert in_use(sagemaker) == (0, 2)


def test_a_job_starts_when_another_leaves_the_instances_of_the_plan(
    sagemaker: Any, role: str, buy: Callable[..., str]
) -> None:
    config = resources(TrainingPlanArn=buy())
    CLOCK.set(PLAN_START + timedelta(minutes=1))
    for name in ("first", "second"):
        sagemaker.create_training_job(**job(role, TrainingJobName=name, ResourceConfig=config))
    assert statuses(sagemaker, "second") == ("InProgress", "Pending")
    CLOCK.advance(timedelta(minutes=12))
    assert statuses(sagemaker, "second") == ("InProgress", "Training")
    first, second = (sagemaker.describe_training_job(TrainingJobName=name) for name in ("first", "second"))
    assert second["TrainingStartTime"] == first["TrainingEndTime"]


def test_a_job_fails_that_waits_two_days_for_instances_of_its_plan(
    sagemaker: Any, role: str, buy: Callable[..., str]
) -> None:
    config = resources(TrainingPlanArn=buy())
    DELAYS.training_job = timedelta(days=5)
    condition = {"MaxRuntimeInSeconds": 7 * 86400}
    for name in ("first", "second"):
        sagemaker.create_training_job(
            **job(role, TrainingJobName=name, ResourceConfig=config, StoppingCondition=condition)
        )
    CLOCK.set(PLAN_START + timedelta(days=1, hours=23))
    assert statuses(sagemaker, "second") == ("InProgress", "Pending")
    CLOCK.set(PLAN_START + timedelta(days=2, minutes=1))
    row = sagemaker.describe_training_job(TrainingJobName="second")
    assert row["TrainingJobStatus"] == "Failed"
    assert row["FailureReason"].startswith("InsufficientCapacityError")


@pytest.mark.parametrize(
    ("config", "target", "text"),
    [
        ({}, "hyperpod-cluster", "is for hyperpod-cluster, not for training-job"),
        ({"InstanceType": "ml.trn1.2xlarge"}, "training-job", f"has instances of type {TYPE}"),
        ({"InstanceCount": 3}, "training-job", "has 2 instances, and the job has 3"),
        (
            {"TrainingPlanArn": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-plan/none"},
            "training-job",
            "does not exist",
        ),
    ],
)
def test_a_plan_that_does_not_fit_the_job_is_rejected(
    sagemaker: Any, role: str, buy: Callable[..., str], refused: Refused, config: Any, target: str, text: str
) -> None:
    given = resources(**{"TrainingPlanArn": buy(target), **config})
    code, message = refused(sagemaker.create_training_job, **job(role, ResourceConfig=given))
    assert (code, text in message) == (INVALID, True), message


def test_a_plan_that_has_ended_is_rejected(
    sagemaker: Any, role: str, buy: Callable[..., str], refused: Refused
) -> None:
    config = resources(TrainingPlanArn=buy())
    CLOCK.set(PLAN_END)
    code, message = refused(sagemaker.create_training_job, **job(role, ResourceConfig=config))
    assert (code, "plan is Expired" in message) == (INVALID, True)

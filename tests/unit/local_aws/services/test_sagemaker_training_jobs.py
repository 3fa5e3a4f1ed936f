"""Training jobs: their phases by the clock, how they stop, their log streams, lists, plans and warm pools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.clock import CLOCK, DELAYS
from local_aws.server import LocalAws
from tests.unit.local_aws.training_jobs import BUCKET, IMAGE, TYPE, in_s3, job, make_bucket, resources, role_of

Refused = Callable[..., tuple[str, str]]
Submit = Callable[..., str]
ACCOUNT, REGION = "300000000000", "us-west-2"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
GROUP = "/aws/sagemaker/TrainingJobs"


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """The first of December at noon, at which the clock stands when a test begins."""
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
def submit(sagemaker: Any, role: str) -> Submit:
    """Creates a job of this name and returns the ARN."""

    def create(name: str, **members: Any) -> str:
        return str(sagemaker.create_training_job(**job(role, TrainingJobName=name, **members))["TrainingJobArn"])

    return create


def described(sagemaker: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = sagemaker.describe_training_job(TrainingJobName=name)
    return found


def statuses(sagemaker: Any, name: str) -> tuple[str, str]:
    row = described(sagemaker, name)
    return row["TrainingJobStatus"], row["SecondaryStatus"]


def history(sagemaker: Any, name: str) -> list[str]:
    return [each["Status"] for each in described(sagemaker, name)["SecondaryStatusTransitions"]]


def names(sagemaker: Any, **wish: Any) -> list[str]:
    return [row["TrainingJobName"] for row in sagemaker.list_training_jobs(**wish)["TrainingJobSummaries"]]


def pool(sagemaker: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = described(sagemaker, name)["WarmPoolStatus"]
    return found


def test_a_job_trains_at_once_and_is_completed_after_ten_minutes(sagemaker: Any, submit: Submit) -> None:
    assert submit("first") == f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/first"
    assert statuses(sagemaker, "first") == ("InProgress", "Training")
    assert "TrainingEndTime" not in described(sagemaker, "first")
    CLOCK.advance(timedelta(minutes=9))
    assert statuses(sagemaker, "first") == ("InProgress", "Training")
    CLOCK.advance(timedelta(hours=1))
    row = described(sagemaker, "first")
    assert (row["TrainingJobStatus"], row["SecondaryStatus"]) == ("Completed", "Completed")
    assert row["TrainingEndTime"] - row["TrainingStartTime"] == timedelta(minutes=10)
    assert (row["TrainingTimeInSeconds"], row["BillableTimeInSeconds"]) == (600, 600)
    assert row["LastModifiedTime"] == row["TrainingEndTime"]


def test_a_job_goes_through_phases_that_each_have_a_start_an_end_and_a_message(sagemaker: Any, submit: Submit) -> None:
    DELAYS.training_job_start = timedelta(minutes=4)
    DELAYS.training_job_download = timedelta(minutes=3)
    DELAYS.training_job_upload = timedelta(minutes=2)
    submit("first")
    seen = [statuses(sagemaker, "first")]
    for minutes in (5, 3, 10, 2):
        CLOCK.advance(timedelta(minutes=minutes))
        seen.append(statuses(sagemaker, "first"))
    phases = ["Starting", "Downloading", "Training", "Uploading"]
    assert seen == [*(("InProgress", phase) for phase in phases), ("Completed", "Completed")]
    row = described(sagemaker, "first")
    steps = row["SecondaryStatusTransitions"]
    assert [each["Status"] for each in steps] == [*phases, "Completed"]
    assert [round((each["EndTime"] - each["StartTime"]).total_seconds() / 60) for each in steps] == [4, 3, 10, 2, 0]
    assert all(each["StatusMessage"] for each in steps)
    assert row["TrainingStartTime"] == steps[1]["StartTime"]
    assert row["TrainingTimeInSeconds"] == 15 * 60


def test_a_job_is_described_as_it_was_requested(sagemaker: Any, role: str) -> None:
    members = {
        "HyperParameters": {"lr": "0.1"},
        "Environment": {"FI_PROVIDER": "efa"},
        "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints", "LocalPath": "/opt/ml/checkpoints"},
        "InputDataConfig": in_s3(f"s3://{BUCKET}/input"),
        "RetryStrategy": {"MaximumRetryAttempts": 2},
        "StoppingCondition": None,
    }
    request = job(role, **members)
    sagemaker.create_training_job(**request)
    row = described(sagemaker, "first")
    assert {name: row[name] for name in request} == request
    assert row["StoppingCondition"] == {"MaxRuntimeInSeconds": 86400}
    assert row["ModelArtifacts"] == {"S3ModelArtifacts": f"s3://{BUCKET}/output/first/output/model.tar.gz"}
    assert row["EnableManagedSpotTraining"] is False


def test_a_job_writes_no_object(sagemaker: Any, submit: Submit, client: Callable[[str], Any]) -> None:
    submit("first")
    CLOCK.advance(timedelta(hours=1))
    assert statuses(sagemaker, "first")[0] == "Completed"
    keys = [each["Key"] for each in client("s3").list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert keys == ["input/part-0"]


def test_a_stopped_job_goes_on_for_120_seconds(sagemaker: Any, submit: Submit, refused: Refused) -> None:
    submit("first")
    CLOCK.advance(timedelta(minutes=5))
    sagemaker.stop_training_job(TrainingJobName="first")
    assert statuses(sagemaker, "first") == ("Stopping", "Stopping")
    assert refused(sagemaker.stop_training_job, TrainingJobName="first") == (
        "ValidationException",
        "The request was rejected because the training job is in status Stopping.",
    )
    CLOCK.advance(timedelta(seconds=121))
    assert statuses(sagemaker, "first") == ("Stopped", "Stopped")
    row = described(sagemaker, "first")
    assert 7 * 60 <= row["TrainingTimeInSeconds"] < 8 * 60
    message = "The request was rejected because the training job is in status Stopped."
    assert refused(sagemaker.stop_training_job, TrainingJobName="first")[1] == message
    waiter = sagemaker.get_waiter("training_job_completed_or_stopped")
    waiter.wait(TrainingJobName="first", WaiterConfig={"Delay": 0, "MaxAttempts": 1})


def test_a_job_that_reaches_its_maximum_runtime_is_stopped(sagemaker: Any, submit: Submit) -> None:
    submit("first", StoppingCondition={"MaxRuntimeInSeconds": 300})
    CLOCK.advance(timedelta(seconds=330))
    assert statuses(sagemaker, "first") == ("Stopping", "Stopping")
    CLOCK.advance(timedelta(seconds=120))
    assert statuses(sagemaker, "first") == ("Stopped", "MaxRuntimeExceeded")
    assert described(sagemaker, "first")["TrainingTimeInSeconds"] == 420


def test_a_job_waits_for_scarce_instances_and_starts_when_another_ends(
    sagemaker: Any, submit: Submit, local_aws: LocalAws
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=3) as fault:
        submit("first")
        submit("second")
        assert statuses(sagemaker, "second") == ("InProgress", "Pending")
        assert fault.injected == 1
        CLOCK.advance(timedelta(minutes=15))
        assert statuses(sagemaker, "first")[0] == "Completed"
        assert statuses(sagemaker, "second") == ("InProgress", "Training")
    row = described(sagemaker, "second")
    assert row["TrainingStartTime"] == described(sagemaker, "first")["TrainingEndTime"]
    assert history(sagemaker, "second") == ["Starting", "Pending", "Starting", "Downloading", "Training"]


@pytest.mark.parametrize(
    ("members", "condition", "secondary"),
    [
        ({"EnableManagedSpotTraining": True}, {"MaxWaitTimeInSeconds": 7200}, "MaxWaitTimeExceeded"),
        ({}, {"MaxPendingTimeInSeconds": 7200}, "Stopped"),
    ],
)
def test_a_job_that_never_gets_instances_is_stopped_without_a_training_time(
    sagemaker: Any, submit: Submit, local_aws: LocalAws, members: Any, condition: Any, secondary: str
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=0):
        submit("first", StoppingCondition={"MaxRuntimeInSeconds": 3600, **condition}, **members)
        CLOCK.advance(timedelta(seconds=7100))
        assert statuses(sagemaker, "first") == ("InProgress", "Pending")
        CLOCK.advance(timedelta(seconds=200))
        assert statuses(sagemaker, "first") == ("Stopped", secondary)
    assert "TrainingTimeInSeconds" not in described(sagemaker, "first")


def test_each_host_has_a_log_stream_that_says_what_was_not_run(
    sagemaker: Any, submit: Submit, client: Callable[[str], Any]
) -> None:
    submit("logged")
    CLOCK.advance(timedelta(minutes=5))
    sagemaker.stop_training_job(TrainingJobName="logged")
    CLOCK.advance(timedelta(minutes=5))
    logs = client("logs")
    begin = logs.describe_log_streams(logGroupName=GROUP, logStreamNamePrefix="logged/")["logStreams"]
    streams = [each["logStreamName"] for each in begin]
    assert [name.rpartition("-")[0] for name in streams] == ["logged/algo-1", "logged/algo-2"]
    events = logs.get_log_events(logGroupName=GROUP, logStreamName=streams[1], startFromHead=True)["events"]
    command, container, signal, end = (each["message"] for each in events)
    assert command == f"Starting {IMAGE} with: torchrun train.py --steps 10"
    assert "runs no container" in container
    assert "SIGTERM" in signal
    assert end == "The job has ended as Stopped after 420 seconds."
    assert (events[2]["timestamp"] - events[0]["timestamp"]) // 1000 == 300
    found = logs.filter_log_events(logGroupName=GROUP, filterPattern="SIGTERM", logStreamNames=streams)["events"]
    assert {each["logStreamName"] for each in found} == set(streams)


def test_jobs_are_listed_by_filters_in_order_and_in_pages(sagemaker: Any, submit: Submit, refused: Refused) -> None:
    for name in ("b-job", "a-job", "other"):
        submit(name)
        CLOCK.advance(timedelta(minutes=5))
    assert names(sagemaker) == ["b-job", "a-job", "other"]
    assert names(sagemaker, SortBy="Name") == ["a-job", "b-job", "other"]
    assert names(sagemaker, SortOrder="Descending") == ["other", "a-job", "b-job"]
    assert names(sagemaker, SortBy="Status", SortOrder="Ascending")[-1] == "other"
    assert names(sagemaker, NameContains="-job") == ["b-job", "a-job"]
    assert names(sagemaker, StatusEquals="InProgress") == ["other"]
    assert names(sagemaker, CreationTimeAfter=NOON + timedelta(minutes=4)) == ["a-job", "other"]
    assert names(sagemaker, CreationTimeBefore=NOON + timedelta(minutes=4)) == ["b-job"]
    assert names(sagemaker, LastModifiedTimeAfter=NOON + timedelta(minutes=12)) == ["a-job"]
    assert names(sagemaker, LastModifiedTimeBefore=NOON + timedelta(minutes=10, seconds=30)) == ["b-job", "other"]
    first = sagemaker.list_training_jobs(MaxResults=2)
    assert len(first["TrainingJobSummaries"]) == 2
    assert names(sagemaker, MaxResults=2, NextToken=first["NextToken"]) == ["other"]
    assert names(sagemaker, MaxResults=2, StatusEquals="InProgress") == []  # the page is cut first
    assert refused(sagemaker.list_training_jobs, NextToken="9")[0] == "ValidationException"


def test_a_job_has_tags_that_can_be_changed(sagemaker: Any, submit: Submit) -> None:
    arn = submit("first", Tags=[{"Key": "team", "Value": "a"}])
    sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": "run", "Value": "1"}])
    sagemaker.delete_tags(ResourceArn=arn, TagKeys=["team"])
    assert sagemaker.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "run", "Value": "1"}]


def test_a_name_is_free_again_after_the_job_is_deleted(sagemaker: Any, submit: Submit, refused: Refused) -> None:
    arn = submit("first")
    assert refused(submit, name="first") == (
        "ResourceInUse",
        f"Job name must be unique within an AWS account and region, and a job with this name already exists ({arn})",
    )
    assert refused(sagemaker.delete_training_job, TrainingJobName="first")[0] == "ResourceInUse"
    CLOCK.advance(timedelta(minutes=11))
    sagemaker.delete_training_job(TrainingJobName="first")
    assert names(sagemaker) == []
    submit("first")
    assert statuses(sagemaker, "first")[0] == "InProgress"


def test_a_warm_pool_is_taken_by_a_like_job(sagemaker: Any, submit: Submit) -> None:
    DELAYS.training_job_start = timedelta(minutes=5)
    warm = resources(KeepAlivePeriodInSeconds=1800)
    submit("first", ResourceConfig=warm)
    CLOCK.advance(timedelta(minutes=6))
    assert pool(sagemaker, "first") == {"Status": "InUse"}
    CLOCK.advance(timedelta(minutes=10))
    assert pool(sagemaker, "first") == {"Status": "Available"}
    submit("other", ResourceConfig=resources(InstanceCount=1))
    assert names(sagemaker, WarmPoolStatusEquals="Available") == ["first"]
    submit("second", ResourceConfig=warm)
    assert statuses(sagemaker, "second") == ("InProgress", "Training")  # nothing had to be prepared
    found = pool(sagemaker, "first")
    assert (found["Status"], found["ReusedByJob"]) == ("Reused", "second")
    assert 60 <= found["ResourceRetainedBillableTimeInSeconds"] < 120
    CLOCK.advance(timedelta(hours=1))
    assert pool(sagemaker, "second") == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 1800}


def test_the_time_of_a_warm_pool_can_be_changed_until_it_is_gone(
    sagemaker: Any, submit: Submit, refused: Refused
) -> None:
    submit("first", ResourceConfig=resources(KeepAlivePeriodInSeconds=60))
    update = {"TrainingJobName": "first", "ResourceConfig": {"KeepAlivePeriodInSeconds": 3000}}
    sagemaker.update_training_job(**update)
    CLOCK.advance(timedelta(minutes=50))
    assert pool(sagemaker, "first")["Status"] == "Available"
    assert refused(sagemaker.delete_training_job, TrainingJobName="first")[0] == "ResourceInUse"
    sagemaker.update_training_job(**{**update, "ResourceConfig": {"KeepAlivePeriodInSeconds": 0}})
    assert pool(sagemaker, "first")["Status"] == "Terminated"
    code, message = refused(sagemaker.update_training_job, **update)
    assert (code, "no warm pool" in message) == ("ValidationException", True)


def test_rows_of_jobs_survive_a_snapshot(sagemaker: Any, submit: Submit, local_aws: LocalAws, tmp_path: Path) -> None:
    arn = submit("first", Tags=[{"Key": "run", "Value": "1"}])
    before = described(sagemaker, "first")
    local_aws.snapshot(tmp_path / "aws.zip")
    local_aws.store.tables.clear()
    local_aws.restore(tmp_path / "aws.zip")
    again = local_client("sagemaker", local_aws.endpoint, ACCOUNT, REGION)
    after = described(again, "first")
    assert {**after, "ResponseMetadata": {}} == {**before, "ResponseMetadata": {}}
    assert again.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "run", "Value": "1"}]
    CLOCK.advance(timedelta(minutes=11))
    assert statuses(again, "first")[0] == "Completed"


def test_instances_of_groups_are_added_up(sagemaker: Any, submit: Submit, client: Callable[[str], Any]) -> None:
    groups = [
        {"InstanceGroupName": "data", "InstanceType": "ml.c5.xlarge", "InstanceCount": 1},
        {"InstanceGroupName": "train", "InstanceType": TYPE, "InstanceCount": 2},
    ]
    submit("mixed", ResourceConfig={"InstanceGroups": groups})
    assert statuses(sagemaker, "mixed") == ("InProgress", "Training")
    found = client("logs").describe_log_streams(logGroupName=GROUP, logStreamNamePrefix="mixed/")["logStreams"]
    assert len(found) == 3

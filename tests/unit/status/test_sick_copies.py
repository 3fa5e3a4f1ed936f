"""Copies of data that are missing: recovery points that no job made, replication rules that are gone, and delays."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from botocore.stub import Stubber
from hint_commands import command_error

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.protocol.status import StatusLine, Verdict
from neuron_cluster.status.environment_status import read_status
from neuron_cluster.status.replication import replication_lines

from .breaks import heal
from .conftest import Deployed, Environment, Line, query_of

pytestmark = pytest.mark.slow
NAME = "storage-kinds"
SELECTIONS = ("checkpoint-bucket", "efs", "home-alice", "lustre")


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME, ("network", "storage"))


def lines(environment: Environment, subject: str, *, at: datetime | None = None) -> list[StatusLine]:
    plan = environment.plan
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    moment = at or datetime.now(UTC)
    status = read_status(plan, access, load_catalog(), at=moment, argument=NAME, of_file=lambda _deployed: None)
    return [line for line in status.lines if line.subject.startswith(subject)]


def bucket(environment: Environment) -> str:
    buckets = environment.client("s3").list_buckets()["Buckets"]
    return next(str(each["Name"]) for each in buckets if each["Name"].startswith(f"{NAME}-storage"))


def test_a_recovery_point_is_due_a_day_after_its_schedule(environment: Environment) -> None:
    """No job is started here, and the first ones would be those of the next morning."""
    now = [(line.subject, line.verdict) for line in lines(environment, "recovery points")]
    assert sorted(now) == [(f"recovery points of {name}", Verdict.HEALTHY) for name in SELECTIONS]
    late = lines(environment, "recovery points", at=datetime.now(UTC) + timedelta(days=3))
    assert {line.verdict for line in late} == {Verdict.ERROR}
    assert len(late) == len(SELECTIONS)
    assert late[0].cause.startswith("there is none, and the rule daily was to make one at ")


def test_the_command_of_a_missing_recovery_point_makes_one(environment: Environment) -> None:
    """Its age is compared with the last run of the schedule, whatever the time of the day is."""
    at = datetime.now(UTC) + timedelta(days=3)
    (late,) = lines(environment, "recovery points of efs", at=at)
    assert command_error(late.command) == ""
    heal(environment, Line("", late.subject, late.verdict.value, late.cause, late.command))
    (line,) = lines(environment, "recovery points of efs")
    assert (line.verdict, line.cause[:14]) == (Verdict.HEALTHY, "the newest is ")
    (again,) = lines(environment, "recovery points of efs", at=at)
    assert again.verdict is Verdict.ERROR
    assert again.cause.startswith("the newest is of ")


def test_a_backup_plan_that_is_gone_is_an_error(environment: Environment) -> None:
    backup = environment.client("backup")
    (plan,) = backup.list_backup_plans()["BackupPlansList"]
    names = {"BackupPlanId": plan["BackupPlanId"]}
    for row in backup.list_backup_selections(**names)["BackupSelectionsList"]:
        backup.delete_backup_selection(**names, SelectionId=row["SelectionId"])
    lost = [line for line in lines(environment, "selection ") if line.verdict is Verdict.ERROR]
    assert len(lost) == len(SELECTIONS)
    backup.delete_backup_plan(**names)
    (line,) = lines(environment, "backup plan ")
    assert (line.verdict, "deleted outside of its stack" in line.cause) == (Verdict.ERROR, True)


def test_rules_of_replication_that_are_gone_or_disabled_are_an_error(environment: Environment) -> None:
    s3, name = environment.client("s3"), bucket(environment)
    (line,) = lines(environment, "copies of the bucket")
    assert (line.verdict, line.cause) == (Verdict.HEALTHY, "1 rule to checkpoints-replica enabled")
    configuration = s3.get_bucket_replication(Bucket=name)["ReplicationConfiguration"]
    configuration["Rules"][0]["Status"] = "Disabled"
    s3.put_bucket_replication(Bucket=name, ReplicationConfiguration=configuration)
    (line,) = lines(environment, "copies of the bucket")
    assert (line.verdict, line.command) == (Verdict.ERROR, f"neuron-cluster drift --local {NAME}")
    assert line.cause == "no enabled rule copies new objects below golden/ to checkpoints-replica"
    s3.delete_bucket_replication(Bucket=name)
    assert [line.verdict for line in lines(environment, "copies of the bucket")] == [Verdict.ERROR]
    configuration["Rules"][0]["Status"] = "Enabled"
    s3.put_bucket_replication(Bucket=name, ReplicationConfiguration=configuration)


@pytest.fixture
def cloudwatch(environment: Environment) -> Iterator[Stubber]:
    """S3 publishes no metric here, so the values are answers that the API documents."""
    with Stubber(environment.client("cloudwatch")) as stub:
        yield stub


@pytest.mark.parametrize(
    ("latency", "failed", "found"),
    [
        ([60.0], [], [("healthy", "copies are 1 minute behind")]),
        ([1800.0], [0.0], [("warning", "copies are 30 minutes behind, more than the 15 of S3 Repli")]),
        ([60.0], [7.0], [("error", "7 objects were not copied in the last minute: check the ro")]),
        ([], [], []),
    ],
)
def test_delays_and_failures_of_copies_are_those_that_s3_publishes(
    latency: list[float],
    failed: list[float],
    found: list[tuple[str, str]],
    environment: Environment,
    cloudwatch: Stubber,
) -> None:
    rows = [{"Id": "m0", "Values": latency}, {"Id": "m1", "Values": failed}]
    cloudwatch.add_response("get_metric_data", {"MetricDataResults": rows})
    assert environment.plan.storage is not None
    assert environment.plan.storage.bucket is not None
    replication = environment.plan.storage.bucket.replication
    assert isinstance(replication, ReplicationPlan)
    shown = list(replication_lines(query_of(environment), bucket(environment), replication))
    assert [(line.verdict.value, line.cause[:58]) for line in shown if line.subject == "replication queue"] == found

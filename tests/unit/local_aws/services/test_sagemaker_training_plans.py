"""Training plans: what is offered, bought, described and extended, and which HyperPod groups can use a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from local_aws.clock import CLOCK, DELAYS
from local_aws.server import LocalAws
from tests.unit.local_aws import hyperpod

Refused = Callable[..., tuple[str, str]]
ACCOUNT, REGION = "300000000000", "us-west-2"
ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-plan/"
QUOTA = "sagemaker/L-867702E6"
HYPERPOD, JOB = "hyperpod-cluster", "training-job"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
WISH = {
    "InstanceType": "ml.trn1.32xlarge",
    "InstanceCount": 2,
    "DurationHours": 48,
    "TargetResources": [HYPERPOD],
}
GROUP = {
    "InstanceGroupName": "trn1",
    "InstanceType": "ml.trn1.32xlarge",
    "InstanceCount": 2,
    "ExecutionRole": f"arn:aws:iam::{ACCOUNT}:role/hyperpod-nodes",
    "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["training"]},
}
CONTROLLER = {
    **GROUP,
    "InstanceGroupName": "controller",
    "InstanceType": "ml.m5.xlarge",
    "InstanceCount": 1,
    "SlurmConfig": {"NodeType": "Controller"},
}


@pytest.fixture(autouse=True)
def role(client: Callable[[str], Any]) -> None:
    """The role of the groups."""
    hyperpod.make_role(client)


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """The first of December at noon, when the end of plans on this day has passed."""
    CLOCK.set(NOON)
    yield
    CLOCK.reset()
    DELAYS.reset()


@pytest.fixture
def buy(sagemaker: Any) -> Callable[..., str]:
    """Buys the first offering, or a later one, and returns the ARN of the plan."""

    def purchase(name: str, number: int = 0, **wish: Any) -> str:
        offered = sagemaker.search_training_plan_offerings(**{**WISH, **wish})["TrainingPlanOfferings"]
        offering_id = offered[number]["TrainingPlanOfferingId"]
        made = sagemaker.create_training_plan(TrainingPlanName=name, TrainingPlanOfferingId=offering_id)
        return str(made["TrainingPlanArn"])

    return purchase


def described(sagemaker: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = sagemaker.describe_training_plan(TrainingPlanName=name)
    return found


def names(sagemaker: Any, **wish: Any) -> list[str]:
    return [each["TrainingPlanName"] for each in sagemaker.list_training_plans(**wish)["TrainingPlanSummaries"]]


def on_plan(arn: str, **members: Any) -> dict[str, Any]:
    """The parameters of a Slurm cluster whose compute group uses the plan."""
    groups = [CONTROLLER, {**GROUP, "TrainingPlanArn": arn, **members}]
    return {"ClusterName": "jobs", "Orchestrator": {"Slurm": {}}, "InstanceGroups": groups}


def test_offerings_end_at_a_fixed_hour_and_have_a_zone_and_a_price(sagemaker: Any) -> None:
    offered = sagemaker.search_training_plan_offerings(**WISH)["TrainingPlanOfferings"]
    assert len(offered) == 3
    for each in offered:
        (capacity,) = each["ReservedCapacityOfferings"]
        assert each["TargetResources"] == [HYPERPOD]
        assert (capacity["InstanceType"], capacity["InstanceCount"]) == ("ml.trn1.32xlarge", 2)
        assert capacity["AvailabilityZone"].startswith("us-west-2")
        assert capacity["EndTime"].astimezone(UTC).time() == time(11, 30)
        hours = (capacity["EndTime"] - capacity["StartTime"]) / timedelta(hours=1)
        assert each["DurationHours"] + each["DurationMinutes"] / 60 == pytest.approx(hours, abs=0.02)
        assert float(each["UpfrontFee"]) == pytest.approx(35.76 * 2 * hours, abs=2)
        assert each["CurrencyCode"] == "USD"
    starts = [each["ReservedCapacityOfferings"][0]["StartTime"] for each in offered]
    assert starts[0] >= NOON + timedelta(minutes=30)
    assert starts[1:] == [datetime(2026, 12, day, 11, 30, tzinfo=UTC) for day in (2, 8)]
    assert [each["DurationHours"] for each in offered] == [46, 48, 48]


def test_dates_of_the_request_choose_among_offerings(sagemaker: Any) -> None:
    first = datetime(2026, 12, 20, tzinfo=UTC)
    later = sagemaker.search_training_plan_offerings(**WISH, StartTimeAfter=first)["TrainingPlanOfferings"]
    assert len(later) == 3
    assert all(each["ReservedCapacityOfferings"][0]["StartTime"] >= first for each in later)
    assert {each["RequestedStartTimeAfter"] for each in later} == {first}
    last = first + timedelta(days=3)
    within = sagemaker.search_training_plan_offerings(**WISH, StartTimeAfter=first, EndTimeBefore=last)
    assert 0 < len(within["TrainingPlanOfferings"]) < 3
    beyond = sagemaker.search_training_plan_offerings(**WISH, StartTimeAfter=NOON + timedelta(days=57))
    assert beyond["TrainingPlanOfferings"] == []


def test_a_region_without_the_type_has_no_offering(sagemaker: Any) -> None:
    wish = {**WISH, "InstanceType": "ml.trn2.48xlarge"}
    assert sagemaker.search_training_plan_offerings(**wish)["TrainingPlanOfferings"] == []


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"InstanceType": "ml.trn1n.32xlarge"}, "ml.trn1n.32xlarge"),
        ({"InstanceType": "ml.p5.48xlarge"}, "ml.p5.48xlarge is not offered"),
        ({"InstanceCount": 3}, "1, 2, 4, 8, 16, 32, 64"),
        ({"DurationHours": 183 * 24}, "1 to 182 days"),
        ({"TargetResources": None}, "TargetResources are required"),
        ({"TargetResources": ["endpoint"]}, "endpoint"),
        ({"TargetResources": ["notebook"]}, "notebook"),
        ({"TrainingPlanArn": f"{ARN}none"}, "does not exist"),
    ],
)
def test_plans_that_are_not_sold(sagemaker: Any, refused: Refused, wish: Any, text: str) -> None:
    given = {name: value for name, value in {**WISH, **wish}.items() if value is not None}
    code, message = refused(sagemaker.search_training_plan_offerings, **given)
    assert (code, text in message) == ("ValidationException", True), message


def test_a_plan_is_described_as_it_was_offered(sagemaker: Any, buy: Any) -> None:
    arn = buy("december", 1)
    assert arn == f"{ARN}december"
    plan = described(sagemaker, arn)
    assert described(sagemaker, "december")["TrainingPlanArn"] == arn
    assert (plan["Status"], plan["TargetResources"], plan["TotalInstanceCount"]) == ("Scheduled", [HYPERPOD], 2)
    assert (plan["AvailableInstanceCount"], plan["InUseInstanceCount"]) == (2, 0)
    (capacity,) = plan["ReservedCapacitySummaries"]
    assert capacity["ReservedCapacityArn"].startswith(f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:reserved-capacity/")
    assert capacity["AvailabilityZoneId"] in ("usw2-az1", "usw2-az4")
    assert (capacity["StartTime"], capacity["EndTime"]) == (plan["StartTime"], plan["EndTime"])


def test_the_status_of_a_plan_follows_the_clock(sagemaker: Any, buy: Any) -> None:
    DELAYS.plan_payment = timedelta(minutes=10)
    buy("first", 1)

    def status() -> tuple[str, str]:
        plan = described(sagemaker, "first")
        return plan["Status"], plan["ReservedCapacitySummaries"][0]["Status"]

    assert status() == ("Pending", "Pending")
    CLOCK.advance(timedelta(minutes=11))
    assert status() == ("Scheduled", "Scheduled")
    CLOCK.set(datetime(2026, 12, 2, 11, 31, tzinfo=UTC))
    assert status() == ("Active", "Active")
    CLOCK.set(datetime(2026, 12, 4, 11, 31, tzinfo=UTC))
    assert status() == ("Expired", "Expired")


def test_a_plan_fails_whose_payment_is_too_late(sagemaker: Any, buy: Any) -> None:
    DELAYS.plan_payment = timedelta(minutes=28)
    buy("now")
    CLOCK.advance(timedelta(minutes=26))
    plan = described(sagemaker, "now")
    assert (plan["Status"], "payment" in plan["StatusMessage"]) == ("Failed", True)


def test_plans_are_listed_by_filters_and_in_pages(sagemaker: Any, buy: Any, refused: Refused) -> None:
    buy("b", 1)
    buy("a", 2)
    buy("c", 0)
    assert names(sagemaker, SortBy="TrainingPlanName") == ["a", "b", "c"]
    assert names(sagemaker, SortBy="StartTime", SortOrder="Descending") == ["a", "b", "c"]
    assert names(sagemaker, StartTimeAfter=datetime(2026, 12, 5, tzinfo=UTC)) == ["a"]
    assert names(sagemaker, StartTimeBefore=datetime(2026, 12, 2, tzinfo=UTC)) == ["c"]
    CLOCK.set(datetime(2026, 12, 2, 11, 31, tzinfo=UTC))
    active = [{"Name": "Status", "Value": "Active"}]
    assert names(sagemaker, Filters=active, SortBy="TrainingPlanName") == ["b", "c"]
    first = sagemaker.list_training_plans(MaxResults=2, SortBy="TrainingPlanName")
    assert len(first["TrainingPlanSummaries"]) == 2
    assert names(sagemaker, MaxResults=2, SortBy="TrainingPlanName", NextToken=first["NextToken"]) == ["c"]
    assert refused(sagemaker.list_training_plans, NextToken="7")[0] == "ValidationException"


def test_an_offering_is_sold_once_and_under_a_new_name(sagemaker: Any, buy: Any, refused: Refused) -> None:
    offered = sagemaker.search_training_plan_offerings(**WISH)["TrainingPlanOfferings"]
    first = {"TrainingPlanName": "first", "TrainingPlanOfferingId": offered[0]["TrainingPlanOfferingId"]}
    sagemaker.create_training_plan(**first)
    code, message = refused(sagemaker.create_training_plan, **first | {"TrainingPlanName": "again"})
    assert (code, offered[0]["TrainingPlanOfferingId"] in message) == ("ResourceNotFound", True)
    taken = first | {"TrainingPlanOfferingId": offered[1]["TrainingPlanOfferingId"]}
    assert refused(sagemaker.create_training_plan, **taken) == ("ResourceInUse", "Training plan first already exists")
    assert refused(sagemaker.describe_training_plan, TrainingPlanName="none") == (
        "ResourceNotFound",
        "Training plan none does not exist",
    )


def test_the_quota_of_plans_bounds_search_and_purchase(
    sagemaker: Any, buy: Any, local_aws: LocalAws, refused: Refused
) -> None:
    offered = sagemaker.search_training_plan_offerings(**WISH)["TrainingPlanOfferings"]
    buy("first", 1)
    values = local_aws.store.table(ACCOUNT, REGION, "service-quotas.values")
    values[QUOTA] = 1
    second = {"TrainingPlanName": "second", "TrainingPlanOfferingId": offered[2]["TrainingPlanOfferingId"]}
    code, message = refused(sagemaker.create_training_plan, **second)
    assert (code, "Number of training plans per Region" in message) == ("ResourceLimitExceeded", True)
    values[QUOTA] = 0
    assert refused(sagemaker.search_training_plan_offerings, **WISH)[0] == "ResourceLimitExceeded"
    values[QUOTA] = 1
    CLOCK.set(datetime(2026, 12, 4, 11, 31, tzinfo=UTC))
    sagemaker.create_training_plan(**second)  # the first has expired


def test_an_extension_moves_the_end_of_a_plan_and_is_in_its_history(sagemaker: Any, buy: Any, refused: Refused) -> None:
    arn = buy("first", 1)
    before = described(sagemaker, "first")
    found = sagemaker.search_training_plan_offerings(TrainingPlanArn=arn, DurationHours=30)
    (offered,) = found["TrainingPlanExtensionOfferings"]
    assert (found["TrainingPlanOfferings"], offered["DurationHours"]) == ([], 48)
    assert (offered["StartDate"], offered["EndDate"]) == (
        before["EndTime"],
        before["EndTime"] + timedelta(hours=48),
    )
    given = {"TrainingPlanExtensionOfferingId": offered["TrainingPlanExtensionOfferingId"]}
    (extension,) = sagemaker.extend_training_plan(**given)["TrainingPlanExtensions"]
    assert (extension["Status"], extension["PaymentStatus"]) == ("Scheduled", "Completed")
    after = described(sagemaker, "first")
    assert (after["EndTime"], after["DurationHours"]) == (offered["EndDate"], before["DurationHours"] + 48)
    assert after["ReservedCapacitySummaries"][0]["EndTime"] == offered["EndDate"]
    CLOCK.set(before["EndTime"] + timedelta(hours=1))
    assert described(sagemaker, "first")["Status"] == "Active"
    history = sagemaker.describe_training_plan_extension_history(TrainingPlanArn=arn)["TrainingPlanExtensions"]
    assert [(each["Status"], each["EndDate"]) for each in history] == [("Active", offered["EndDate"])]
    assert refused(sagemaker.extend_training_plan, **given)[0] == "ResourceNotFound"


def test_an_extension_begins_where_its_plan_ends(sagemaker: Any, buy: Any, refused: Refused) -> None:
    arn = buy("first", 1)
    search = sagemaker.search_training_plan_offerings
    offered = [search(TrainingPlanArn=arn)["TrainingPlanExtensionOfferings"][0] for _ in range(2)]
    first, second = ({"TrainingPlanExtensionOfferingId": each["TrainingPlanExtensionOfferingId"]} for each in offered)
    sagemaker.extend_training_plan(**first)
    assert refused(sagemaker.extend_training_plan, **second)[0] == "ResourceNotFound"


def test_extensions_are_of_days_then_of_weeks_and_of_plans_that_have_not_ended(
    sagemaker: Any, buy: Any, refused: Refused
) -> None:
    arn = buy("first", 1)
    search = sagemaker.search_training_plan_offerings
    code, message = refused(search, TrainingPlanArn=arn, DurationHours=15 * 24)
    assert (code, "weeks" in message) == ("ValidationException", True)
    assert len(search(TrainingPlanArn=arn, DurationHours=21 * 24)["TrainingPlanExtensionOfferings"]) == 1
    CLOCK.set(datetime(2026, 12, 4, 11, 31, tzinfo=UTC))
    code, message = refused(search, TrainingPlanArn=arn)
    assert (code, "Expired" in message) == ("ValidationException", True)
    history = sagemaker.describe_training_plan_extension_history
    assert refused(history, TrainingPlanArn=f"{ARN}none")[0] == "ResourceNotFound"


def test_a_group_uses_instances_of_its_plan(sagemaker: Any, buy: Any) -> None:
    arn = buy("first", 1)
    sagemaker.create_cluster(**on_plan(arn, InstanceCount=1))
    plan = described(sagemaker, "first")
    assert (plan["AvailableInstanceCount"], plan["InUseInstanceCount"]) == (1, 1)
    sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[{**GROUP, "TrainingPlanArn": arn}])
    assert described(sagemaker, "first")["InUseInstanceCount"] == 2
    sagemaker.delete_cluster(ClusterName="jobs")
    assert described(sagemaker, "first")["InUseInstanceCount"] == 0


@pytest.mark.parametrize(
    ("members", "wish", "text"),
    [
        ({}, {"TargetResources": [JOB]}, "is for training-job"),
        ({"InstanceType": "ml.trn2.48xlarge"}, {}, "has instances of type ml.trn1.32xlarge"),
        ({"InstanceType": "ml.m5.xlarge"}, {}, "has instances of type ml.trn1.32xlarge"),
        ({"InstanceCount": 3}, {}, "has 2 instances"),
    ],
)
def test_a_plan_that_does_not_fit_its_group_is_rejected(
    sagemaker: Any, buy: Any, refused: Refused, members: Any, wish: Any, text: str
) -> None:
    arn = buy("first", 1, **wish)
    code, message = refused(sagemaker.create_cluster, **on_plan(arn, **members))
    assert (code, text in message) == ("ValidationException", True), message
    assert sagemaker.list_clusters()["ClusterSummaries"] == []


def test_a_plan_is_scheduled_or_active_when_a_group_gets_it(sagemaker: Any, buy: Any, refused: Refused) -> None:
    DELAYS.plan_payment = timedelta(minutes=10)
    arn = buy("first", 1)
    code, message = refused(sagemaker.create_cluster, **on_plan(arn))
    assert (code, "is Pending" in message) == ("ValidationException", True)
    CLOCK.set(datetime(2026, 12, 4, 11, 31, tzinfo=UTC))
    assert "is Expired" in refused(sagemaker.create_cluster, **on_plan(arn))[1]
    assert "does not exist" in refused(sagemaker.create_cluster, **on_plan(f"{ARN}none"))[1]


def test_a_group_has_the_machines_of_its_plan_where_others_are_scarce(
    sagemaker: Any, buy: Any, local_aws: LocalAws
) -> None:
    arn = buy("first", 1)
    without_plan = {**GROUP, "InstanceGroupName": "more"}
    with local_aws.faults.scarce("trn1.32xlarge", available=2):
        sagemaker.create_cluster(**on_plan(arn))
        sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[without_plan])  # those of the plan do not count
        made = sagemaker.describe_cluster(ClusterName="jobs")
        assert [group["CurrentCount"] for group in made["InstanceGroups"]] == [1, 2, 2]
        sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[{**without_plan, "InstanceCount": 3}])
        assert "Insufficient capacity" in sagemaker.describe_cluster(ClusterName="jobs")["FailureMessage"]


def test_an_update_counts_all_groups_of_a_plan(sagemaker: Any, buy: Any, refused: Refused) -> None:
    arn = buy("first", 1)
    sagemaker.create_cluster(**on_plan(arn, InstanceCount=1))
    more = {**GROUP, "InstanceGroupName": "more", "TrainingPlanArn": arn}
    code, message = refused(sagemaker.update_cluster, ClusterName="jobs", InstanceGroups=[more])
    assert (code, "has 2 instances" in message) == ("ValidationException", True)
    sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[more], InstanceGroupsToDelete=["trn1"])
    assert described(sagemaker, "first")["InUseInstanceCount"] == 2


def test_an_update_of_other_groups_is_not_rejected_after_the_end_of_a_plan(sagemaker: Any, buy: Any) -> None:
    arn = buy("first", 1)
    sagemaker.create_cluster(**on_plan(arn))
    CLOCK.set(datetime(2026, 12, 4, 11, 31, tzinfo=UTC))
    sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[CONTROLLER, {**GROUP, "TrainingPlanArn": arn}])


def test_a_plan_in_another_zone_than_the_subnets_of_its_group_is_rejected(
    sagemaker: Any, buy: Any, refused: Refused, client: Callable[[str], Any], ground: Any
) -> None:
    arn = buy("first", 1)
    zone = described(sagemaker, arn)["ReservedCapacitySummaries"][0]["AvailabilityZoneId"]
    rows = client("ec2").describe_subnets(SubnetIds=ground.subnets)["Subnets"]
    inside = [row["SubnetId"] for row in rows if row["AvailabilityZoneId"] == zone]
    outside = [row["SubnetId"] for row in rows if row["AvailabilityZoneId"] != zone]

    group = hyperpod.make_group(client, ground.vpc)

    def in_subnets(subnets: list[str]) -> dict[str, Any]:
        return {**on_plan(arn), "VpcConfig": {"Subnets": subnets, "SecurityGroupIds": [group]}}

    code, message = refused(sagemaker.create_cluster, **in_subnets(outside))
    assert (code, "No subnets in the capacity AZ" in message) == ("ValidationException", True)
    sagemaker.create_cluster(**in_subnets(inside))
    assert sagemaker.describe_cluster(ClusterName="jobs")["ClusterStatus"] == "InService"

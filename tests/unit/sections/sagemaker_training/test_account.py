"""Quotas and training plans of the account before a deploy, and training jobs in `status`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Location, Severity
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery, Verdict
from neuron_cluster.sections.sagemaker_training import quotas, training_plans
from neuron_cluster.sections.sagemaker_training.status import training_status

NAME = "sagemaker-finetune"
HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
JOB = "sagemaker_training.jobs.0"
QUOTA, SPOT = "ml.trn1.32xlarge for training job usage", "ml.trn1.32xlarge for spot training job usage"
PLAN_ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/week-49"
IN_PLAN = {f"{JOB}.capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}}
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-job"

ContextOf = Callable[..., PreflightContext]


@pytest.fixture
def context_of(plan_of: Callable[..., ClusterPlan]) -> ContextOf:
    def context(edits: Mapping[str, Any] | None = None) -> PreflightContext:
        def located(path: tuple[str | int, ...]) -> Location:
            return Location(f"{NAME}.yaml", path=".".join(map(str, path)))

        return PreflightContext(plan_of(NAME, edits), HERE, located, load_catalog())

    return context


@pytest.fixture
def service_quotas() -> Iterator[Stubber]:
    with Stubber(client(HERE.target, "service-quotas")) as stub:
        yield stub
    close_clients(HERE.target)


@pytest.fixture
def sagemaker() -> Iterator[Stubber]:
    with Stubber(client(HERE.target, "sagemaker")) as stub:
        yield stub
        stub.assert_no_pending_responses()
    close_clients(HERE.target)


def add_quotas(stub: Stubber, **values: float) -> None:
    rows = [
        {"ServiceCode": "sagemaker", "QuotaName": name, "QuotaCode": f"L-{number:08X}", "Value": value}
        for number, (name, value) in enumerate(values.items())
    ]
    stub.add_response("list_service_quotas", {"Quotas": rows}, {"ServiceCode": "sagemaker"})


@pytest.mark.hints("W9561")
def test_a_quota_that_is_too_small_for_a_job_is_a_warning(service_quotas: Stubber, context_of: ContextOf) -> None:
    add_quotas(service_quotas, **{QUOTA: 0})
    (warning,) = quotas.check(context_of())
    assert (warning.id, warning.severity, warning.location.path) == ("W9561", Severity.WARNING, f"{JOB}.count")
    assert warning.message == f"{QUOTA} allows 0 in us-west-2; finetune has 2"
    (request,) = commands_in(warning.hint)
    assert not command_error(request)
    assert "--desired-value 2" in request


@pytest.mark.hints("W9562")
def test_a_quota_that_is_not_listed_was_not_checked(service_quotas: Stubber, context_of: ContextOf) -> None:
    add_quotas(service_quotas)
    (warning,) = quotas.check(context_of())
    assert (warning.id, warning.message) == (
        "W9562",
        f"Service Quotas does not list {QUOTA} in us-west-2: it was not checked",
    )
    (listing,) = commands_in(warning.hint)
    assert not command_error(listing)


def test_a_quota_that_is_large_enough_has_no_finding(service_quotas: Stubber, context_of: ContextOf) -> None:
    add_quotas(service_quotas, **{QUOTA: 2})
    assert list(quotas.check(context_of())) == []


@pytest.mark.parametrize(
    ("edits", "names"),
    [
        ({}, [QUOTA]),
        ({f"{JOB}.capacity": {"kind": "spot", "max_wait_hours": 72}}, [SPOT]),
        ({f"{JOB}.keep_alive_minutes": 30}, [QUOTA, "ml.trn1.32xlarge for training warm pool usage"]),
        (IN_PLAN, []),
    ],
    ids=["on demand", "Spot", "warm pool", "training plan"],
)
def test_each_way_of_buying_has_its_own_quota_or_none(
    context_of: ContextOf, edits: Mapping[str, Any], names: list[str]
) -> None:
    assert quotas.subjects(context_of(edits)) == names


def plan_answer(**members: Any) -> dict[str, Any]:
    return {
        "TrainingPlanArn": PLAN_ARN,
        "TrainingPlanName": "week-49",
        "Status": "Active",
        "TotalInstanceCount": 2,
        "AvailableInstanceCount": 2,
        "TargetResources": ["training-job"],
        "ReservedCapacitySummaries": [
            {
                "ReservedCapacityArn": "arn:aws:sagemaker:us-west-2:111122223333:reserved-capacity/aaaaaaaaaaaa",
                "InstanceType": "ml.trn1.32xlarge",
                "TotalInstanceCount": 2,
                "Status": "Active",
            }
        ],
        **members,
    }


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"TargetResources": ["hyperpod-cluster"]}, "its target is hyperpod-cluster, not training-job"),
        ({"Status": "Expired"}, "it is Expired, not Scheduled or Active"),
        ({"TotalInstanceCount": 1}, "it has 1 instance, but count is 2"),
    ],
    ids=["target", "status", "count"],
)
@pytest.mark.hints("E9599")
def test_a_training_plan_that_does_not_fit_is_an_error(
    sagemaker: Stubber, context_of: ContextOf, members: dict[str, Any], reason: str
) -> None:
    sagemaker.add_response("describe_training_plan", plan_answer(**members), {"TrainingPlanName": PLAN_ARN})
    (error,) = training_plans.check(context_of(IN_PLAN))
    assert (error.id, error.message) == ("E9599", f"finetune cannot run in the training plan week-49: {reason}")
    (listing,) = commands_in(error.hint)
    assert not command_error(listing)


def test_a_training_plan_of_another_zone_is_an_error(sagemaker: Stubber, context_of: ContextOf) -> None:
    answer = plan_answer()
    answer["ReservedCapacitySummaries"][0]["AvailabilityZoneId"] = "usw2-az1"
    sagemaker.add_response("describe_training_plan", answer, {"TrainingPlanName": PLAN_ARN})
    (error,) = training_plans.check(context_of(IN_PLAN))
    assert error.message.endswith("it is in usw2-az1, but the job is in usw2-az4 (availability_zone)")


def test_a_training_plan_that_fits_has_no_finding(sagemaker: Stubber, context_of: ContextOf) -> None:
    sagemaker.add_response("describe_training_plan", plan_answer(), {"TrainingPlanName": PLAN_ARN})
    assert list(training_plans.check(context_of(IN_PLAN))) == []


def lines(plan: ClusterPlan) -> dict[str, StatusLine]:
    query = StatusQuery(plan, HERE, load_catalog(), AT, HeldResources({}), NAME)
    (section,) = training_status(query)
    return {line.subject: line for line in section.lines}


def add_jobs(stub: Stubber, status: str, parameters: dict[str, Any], **environments: str) -> None:
    """Jobs of these names, each with the environment of its tag."""
    rows = [
        {
            "TrainingJobName": name,
            "TrainingJobArn": f"{ARN}/{name}",
            "CreationTime": AT - timedelta(hours=2),
            "TrainingEndTime": AT - timedelta(hours=1),
            "TrainingJobStatus": status,
        }
        for name in environments
    ]
    stub.add_response("list_training_jobs", {"TrainingJobSummaries": rows}, {"StatusEquals": status, **parameters})
    for name, environment in environments.items():
        tags = [{"Key": "neuron-cluster:environment", "Value": environment}]
        stub.add_response("list_tags", {"Tags": tags}, {"ResourceArn": f"{ARN}/{name}"})


def test_status_has_the_jobs_of_the_environment_and_why_one_failed(
    sagemaker: Stubber, plan_of: Callable[..., ClusterPlan]
) -> None:
    since = {"LastModifiedTimeAfter": AT - timedelta(days=1)}
    add_jobs(sagemaker, "InProgress", {}, running=NAME, other="another-environment")
    add_jobs(sagemaker, "Stopping", {}, stopping=NAME)
    add_jobs(sagemaker, "Failed", since, failed=NAME)
    described = {
        "TrainingJobName": "failed",
        "TrainingJobArn": f"{ARN}/failed",
        "ModelArtifacts": {"S3ModelArtifacts": "s3://bucket/model.tar.gz"},
        "TrainingJobStatus": "Failed",
        "SecondaryStatus": "Failed",
        "CreationTime": AT,
        "StoppingCondition": {"MaxRuntimeInSeconds": 86_400},
        "FailureReason": "AlgorithmError: exit code 1",
    }
    sagemaker.add_response("describe_training_job", described, {"TrainingJobName": "failed"})
    found = lines(plan_of(NAME))
    assert list(found) == ["running", "stopping", "failed"]
    assert (found["running"].verdict, found["running"].since) == (Verdict.HEALTHY, AT - timedelta(hours=2))
    assert (found["failed"].verdict, found["failed"].cause) == (Verdict.ERROR, "failed: AlgorithmError: exit code 1")
    assert not command_error(found["failed"].command)


def test_jobs_that_may_not_be_listed_are_not_called_healthy(
    sagemaker: Stubber, plan_of: Callable[..., ClusterPlan]
) -> None:
    sagemaker.add_client_error("list_training_jobs", "AccessDeniedException", http_status_code=403)
    (line,) = lines(plan_of(NAME)).values()
    assert line.verdict is Verdict.NOT_READ


def test_without_jobs_the_section_has_one_healthy_line(sagemaker: Stubber, plan_of: Callable[..., ClusterPlan]) -> None:
    add_jobs(sagemaker, "InProgress", {})
    add_jobs(sagemaker, "Stopping", {})
    add_jobs(sagemaker, "Failed", {"LastModifiedTimeAfter": AT - timedelta(days=1)})
    (line,) = lines(plan_of(NAME)).values()
    assert (line.verdict, line.cause) == (Verdict.HEALTHY, "none runs, and none failed within a day")

"""Quotas of SageMaker before a deploy: instances of each type, by the names of their quotas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding, Location, Severity
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.quotas import check, subjects

NAME = "hyperpod-trn2"
HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-east-2")
GROUP = "hyperpod.groups.0"
TRN2, CPU = "ml.trn2.48xlarge for cluster usage", "ml.m7i.4xlarge for cluster usage"
SPOT = "ml.trn2.48xlarge for cluster spot instance usage"
PLAN_ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
PREPARE = {"name": "prepare", "instance_type": "ml.m7i.4xlarge", "count": {"desired": 2}}

ContextOf = Callable[..., PreflightContext]


@pytest.fixture
def context_of(plan_of: Callable[..., ClusterPlan]) -> ContextOf:
    def context(edits: Mapping[str, Any] | None = None) -> PreflightContext:
        def located(path: tuple[str | int, ...]) -> Location:
            return Location(f"{NAME}.yaml", path=".".join(map(str, path)))

        return PreflightContext(plan_of(NAME, edits), HERE, located, load_catalog())

    return context


@pytest.fixture
def quotas() -> Iterator[Stubber]:
    with Stubber(client(HERE.target, "service-quotas")) as stub:
        yield stub
    close_clients(HERE.target)


def found(stub: Stubber, context: PreflightContext, **values: float) -> list[Finding]:
    """The findings where Service Quotas lists these quotas on two pages."""
    rows = [
        {"ServiceCode": "sagemaker", "QuotaName": name, "QuotaCode": f"L-{number:08X}", "Value": value}
        for number, (name, value) in enumerate(values.items())
    ]
    stub.add_response("list_service_quotas", {"Quotas": rows[:1], "NextToken": "n"}, {"ServiceCode": "sagemaker"})
    stub.add_response("list_service_quotas", {"Quotas": rows[1:]}, {"ServiceCode": "sagemaker", "NextToken": "n"})
    return list(check(context))


def test_quotas_that_are_large_enough_have_no_finding(quotas: Stubber, context_of: ContextOf) -> None:
    context = context_of({"hyperpod.groups.1": PREPARE})
    assert subjects(context) == [TRN2, CPU]
    assert found(quotas, context, **{CPU: 2, TRN2: 4}) == []


@pytest.mark.hints("E9587")
def test_a_quota_of_0_is_an_error_with_the_request_for_a_larger_one(quotas: Stubber, context_of: ContextOf) -> None:
    (error,) = found(quotas, context_of(), **{CPU: 0, TRN2: 0})
    assert (error.id, error.severity, error.location.path) == ("E9587", Severity.ERROR, "hyperpod.groups")
    assert error.message == f"{TRN2} allows 0 in us-east-2; the environment has 4"
    (request,) = commands_in(error.hint)
    assert not command_error(request)
    assert "--quota-code L-00000001 --desired-value 4" in request


@pytest.mark.hints("W9588")
def test_a_quota_that_is_not_listed_is_a_warning_and_no_error(quotas: Stubber, context_of: ContextOf) -> None:
    (warning,) = found(quotas, context_of(), **{CPU: 2})
    assert (warning.id, warning.severity) == ("W9588", Severity.WARNING)
    assert warning.message == f"Service Quotas does not list {TRN2} in us-east-2: it was not checked"
    (listing,) = commands_in(warning.hint)
    assert not command_error(listing)


def test_groups_of_one_type_share_its_quota(quotas: Stubber, context_of: ContextOf) -> None:
    second = {**PREPARE, "name": "second", "instance_type": "ml.trn2.48xlarge", "availability_zone": "use2-az3"}
    (error,) = found(quotas, context_of({"hyperpod.groups.1": second}), **{CPU: 0, TRN2: 5})
    assert "allows 5 in us-east-2; the environment has 6" in error.message


@pytest.mark.parametrize(
    ("edits", "names"),
    [
        ({f"{GROUP}.capacity": {"kind": "spot"}}, [SPOT]),
        ({f"{GROUP}.capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}}, []),
        ({f"{GROUP}.count.desired": 0}, []),
    ],
    ids=["Spot", "training plan", "no instance"],
)
def test_each_way_of_buying_has_its_own_quota_or_none(
    context_of: ContextOf, edits: Mapping[str, Any], names: list[str]
) -> None:
    """A training plan was counted when it was bought."""
    assert subjects(context_of(edits)) == names

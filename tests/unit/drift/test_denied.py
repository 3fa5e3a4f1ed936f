"""A caller that may not read everything: what was not read is never reported as unchanged."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neuron_cluster.aws.resource_source import ResourceSource
from neuron_cluster.drift.findings import drift_findings
from neuron_cluster.drift.records import Drift, EnvironmentDrift, Severity

from .conftest import Deployed, Environment
from .small_stack import small_environment

pytestmark = pytest.mark.slow
CallName = tuple[str, str]
"""Service and operation."""
EXAMPLES = 200
WHOLE, STACK_KEYS = "train-trn1", ("network", "cluster")


@pytest.fixture(scope="module", params=["small", pytest.param(WHOLE, marks=pytest.mark.exhaustive)])
def environment(request: pytest.FixtureRequest, deployed: Deployed) -> Environment:
    """A stack with a rule, a key and a log group that were changed by hand."""
    environment = small_environment(deployed) if request.param == "small" else deployed(WHOLE, STACK_KEYS)
    group, logs = (physical_id(environment, kind) for kind in ("AWS::EC2::SecurityGroup", "AWS::Logs::LogGroup"))
    rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    environment.client("ec2").authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    environment.client("kms").disable_key_rotation(KeyId=physical_id(environment, "AWS::KMS::Key"))
    environment.client("logs").put_retention_policy(logGroupName=logs, retentionInDays=1)
    return environment


def physical_id(environment: Environment, kind: str) -> str:
    """The first resource of the type in the stack of the network."""
    name = environment.plan.stack_name("network")
    rows = environment.client("cloudformation").describe_stack_resources(StackName=name)["StackResources"]
    return next(row["PhysicalResourceId"] for row in rows if row["ResourceType"] == kind)


@pytest.fixture(scope="module")
def answers(environment: Environment) -> ResourceSource:
    """Every answer that the drift of the environment needs."""
    source = ResourceSource(environment.target, environment.plan.account)
    assert len(environment.drift(source).drifts) == 3
    return source


def partly(environment: Environment, answers: ResourceSource, denied: Collection[CallName]) -> EnvironmentDrift:
    """The drift for a caller that may not make these calls; the answers to others are those of before."""
    source = ResourceSource(environment.target, environment.plan.account)
    for (service, operation, parameters), answer in answers.answers.items():
        if (service, operation) not in denied:
            source.keep(service, operation, json.loads(parameters), answer)
    with ExitStack() as faults:
        for service, operation in denied:
            faults.enter_context(environment.aws.faults.access_denied(service, operation))
        return environment.drift(source)


def test_only_calls_that_read_are_made(answers: ResourceSource) -> None:
    made = {operation for _, operation, _ in answers.answers}
    assert [name for name in made if not name.startswith(("Describe", "Get", "Head", "List"))] == []


def names(drift: Drift) -> set[str]:
    """The names that a difference would have among what was not compared."""
    resource = f"{drift.stack}/{drift.logical_id}"
    return {resource, f"{resource}/{drift.property.split('/')[1] if drift.property else ''}"}


@pytest.mark.exhaustive
def test_each_denied_call_is_named_and_the_command_could_not_look(
    environment: Environment, answers: ResourceSource
) -> None:
    whole = environment.drift(answers)
    for call in sorted({(service, operation) for service, operation, _ in answers.answers}):
        found = partly(environment, answers, [call])
        assert [part for part in found.uncompared if part.call == ":".join(call) and part.is_denied], call
        assert not found.is_complete
        assert [drift for drift in found.drifts if drift not in whole.drifts] == [], call


@pytest.mark.exhaustive
def test_random_denied_calls_hide_no_difference_without_saying_so(
    environment: Environment, answers: ResourceSource
) -> None:
    calls = sorted({(service, operation) for service, operation, _ in answers.answers})
    whole = environment.drift(answers)

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sets(st.sampled_from(calls), min_size=1))
    def nothing_unseen_is_unchanged(denied: set[CallName]) -> None:
        found = partly(environment, answers, denied)
        assert [drift for drift in found.drifts if drift not in whole.drifts] == []
        listed = {name for part in found.uncompared for name in part.resources}
        assert [drift for drift in whole.drifts if drift not in found.drifts and not names(drift) & listed] == []
        assert found.exit_status(Severity.WARNING) != 0

    nothing_unseen_is_unchanged()


@pytest.mark.hints("W9595")
def test_a_permission_that_is_granted_ends_the_finding(environment: Environment, answers: ResourceSource) -> None:
    call = ("kms", "DescribeKey")
    found = [each for each in drift_findings(partly(environment, answers, [call])) if each.id == "W9595"]
    assert [each.message for each in found if "kms:DescribeKey: access denied" in each.message] != []
    assert [each.message for each in found if "refers to a value that was not read" in each.message] != []
    assert [each for each in drift_findings(partly(environment, answers, [])) if each.id == "W9595"] == []


@pytest.mark.hints("E9593")
def test_a_change_that_is_undone_ends_the_finding(environment: Environment) -> None:
    """The last test: the others need the change."""
    assert sorted(protected(environment)) == ["EnableKeyRotation", "SecurityGroupIngress"]
    environment.client("kms").enable_key_rotation(KeyId=physical_id(environment, "AWS::KMS::Key"))
    assert protected(environment) == ["SecurityGroupIngress"]


def protected(environment: Environment) -> list[str]:
    """Properties of the findings about what protects."""
    found = [each for each in drift_findings(environment.drift()) if each.id == "E9593"]
    return [each.location.path.split("/")[1] for each in found]

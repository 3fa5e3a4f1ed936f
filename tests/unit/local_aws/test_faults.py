"""Faults that a test can order, and how clients and the stack engine take them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError
from botocore.retries.standard import ExponentialBackoff

from local_aws.clients import local_client
from local_aws.handlers.discover import discover_providers
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow

ACCOUNT, REGION = "400000000000", "us-west-2"
VPC = {"Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}}}
LOGS = {"Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {"LogGroupName": "faults"}, "DependsOn": "Vpc"}}


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with LocalAws() as local_aws:
        yield local_aws


@pytest.fixture
def client(aws: LocalAws) -> Callable[[str], Any]:
    return lambda service: local_client(service, aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def stack(client: Callable[[str], Any], request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Makes or changes the stack of this test and gives its status at the end."""
    cloudformation = client("cloudformation")
    name = request.node.name.replace("_", "-")[:80]

    def bring(verb: str, resources: Any) -> str:
        getattr(cloudformation, f"{verb}_stack")(StackName=name, TemplateBody=json.dumps({"Resources": resources}))
        return stable(cloudformation, name)

    bring.name = name  # type: ignore[attr-defined]  # a test asks for the events of its stack
    yield bring
    cloudformation.delete_stack(StackName=name)
    stable(cloudformation, name)


def stable(cloudformation: Any, name: str) -> str:
    """The status of a stack once it is at rest; DELETE_COMPLETE when there is none any more."""
    while True:
        try:
            status: str = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
        except ClientError:
            return "DELETE_COMPLETE"
        if not status.endswith("IN_PROGRESS"):
            return status


def reasons(cloudformation: Any, name: str) -> list[str]:
    events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
    return [event["ResourceStatusReason"] for event in events if event["ResourceStatus"].endswith("_FAILED")]


@pytest.mark.parametrize(
    ("service", "operation", "ask", "code", "message"),
    [
        ("ec2", "DescribeVpcs", "describe_vpcs", "RequestLimitExceeded", "Request limit exceeded."),
        ("iam", "ListRoles", "list_roles", "Throttling", "Rate exceeded"),
        ("eks", "ListClusters", "list_clusters", "ThrottlingException", "Rate exceeded"),
        ("kms", "ListKeys", "list_keys", "ThrottlingException", "Rate exceeded"),
        ("s3", "ListBuckets", "list_buckets", "SlowDown", "Please reduce your request rate."),
        ("efs", "DescribeFileSystems", "describe_file_systems", "ThrottlingException", "Rate exceeded"),
        ("stepfunctions", "ListStateMachines", "list_state_machines", "ThrottlingException", "Rate exceeded"),
    ],
)
def test_throttling_speaks_as_the_service_does_and_ends(aws, client, service, operation, ask, code, message):
    with aws.faults.throttling(service, operation, times=1) as fault:
        with pytest.raises(ClientError) as refused:
            getattr(client(service), ask)()
        assert refused.value.response["Error"]["Code"] == code
        assert refused.value.response["Error"]["Message"] == message
        getattr(client(service), ask)()
    assert fault.injected == 1


@pytest.mark.parametrize(
    ("service", "ask"),
    [
        ("efs", "describe_file_systems"),
        ("cloudwatch", "list_dashboards"),
        ("stepfunctions", "list_state_machines"),
        ("elbv2", "describe_load_balancers"),
    ],
)
def test_a_fault_of_one_service_leaves_the_others_as_they_are(aws, client, service, ask):
    """Their signatures have other names than botocore: elasticfilesystem, monitoring, states, elasticloadbalancing."""
    with aws.faults.throttling("ec2", "DescribeVpcs", times=1):
        assert getattr(client(service), ask)()["ResponseMetadata"]["HTTPStatusCode"] == 200


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (lambda faults: faults.access_denied("ec2", "DescribeVpc"), "did you mean 'DescribeVpcs'"),
        (lambda faults: faults.access_denied("EC2", "DescribeVpcs"), "no service 'EC2'"),
        (lambda faults: faults.throttling("servicequotas", "ListServices", times=1), "no service 'servicequotas'"),
        (lambda faults: faults.throttling("ec2", "DescribeVpcs", times=0), "not 0 times"),
        (lambda faults: faults.dropped_connection("ec2", "DescribeVpcs", times=-1), "not -1 times"),
        (lambda faults: faults.failing("create", "AWS::EC2::Vpc"), "did you mean 'AWS::EC2::VPC'"),
        (lambda faults: faults.failing("create", "AWS::EC2::VPC", times=0), "not 0 times"),
        (lambda faults: faults.failing("creat", "AWS::EC2::VPC"), "no 'creat'"),
        (lambda faults: faults.slow("delete", "Custom::*"), r"type 'Custom::\*'"),
    ],
)
def test_a_fault_that_can_never_strike_is_a_mistake(aws, order, text):
    with pytest.raises(ValueError, match=text):
        order(aws.faults)


def test_a_custom_resource_can_fail(aws):
    release = "Custom::AWSCDK-EKS-HelmChart"
    with aws.faults.failing("create", release), pytest.raises(ClientError, match="on request of a test"):
        aws.faults.strike_resource("create", release)


def test_a_client_with_the_sdks_retries_gets_through(aws, monkeypatch):
    """The client retries as the CDK command and boto3 do by default, but without a pause before each retry."""
    monkeypatch.setattr(ExponentialBackoff, "delay_amount", lambda *_: 0)
    patient = boto3.client(
        "eks",
        endpoint_url=aws.endpoint,
        region_name=REGION,
        aws_access_key_id=ACCOUNT,
        aws_secret_access_key=secret_of(aws.endpoint),
        config=Config(retries={"mode": "standard"}),
    )
    with aws.faults.throttling("eks", "ListClusters", times=2) as fault:
        assert patient.list_clusters()["clusters"] == []
    assert fault.injected == 2
    patient.close()


@pytest.mark.parametrize(
    ("service", "operation", "ask", "code"),
    [
        ("ec2", "DescribeVpcs", "describe_vpcs", "UnauthorizedOperation"),
        ("iam", "ListRoles", "list_roles", "AccessDenied"),
        ("eks", "ListClusters", "list_clusters", "AccessDeniedException"),
    ],
)
def test_one_action_is_denied_in_words_that_name_it(aws, client, service, operation, ask, code):
    with aws.faults.access_denied(service, operation), pytest.raises(ClientError) as refused:
        getattr(client(service), ask)()
    answer = refused.value.response
    assert answer["Error"]["Code"] == code
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 403
    assert f"is not authorized to perform: {service}:{operation} because" in answer["Error"]["Message"]


def test_a_dropped_connection_has_no_answer_and_no_effect(aws, client):
    before = client("ec2").describe_vpcs()["Vpcs"]
    with aws.faults.dropped_connection("ec2", "CreateVpc"), pytest.raises(ConnectionClosedError):
        client("ec2").create_vpc(CidrBlock="10.9.0.0/16")
    assert client("ec2").describe_vpcs()["Vpcs"] == before


def test_the_engine_calls_again_what_was_throttled(aws, stack):
    with aws.faults.throttling("ec2", "CreateVpc", times=2) as fault:
        assert stack("create", VPC) == "CREATE_COMPLETE"
    assert fault.injected == 2


def test_throttling_without_end_fails_the_resource(aws, client, stack):
    with aws.faults.throttling("ec2", "CreateVpc", times=1000):
        assert stack("create", VPC) == "ROLLBACK_COMPLETE"
    assert "Error Code: RequestLimitExceeded" in reasons(client("cloudformation"), stack.name)[0]


def test_a_denied_action_rolls_the_stack_back_and_says_which_it_was(aws, client, stack):
    with aws.faults.access_denied("logs", "CreateLogGroup"):
        assert stack("create", {**VPC, **LOGS}) == "ROLLBACK_COMPLETE"
    assert "not authorized to perform: logs:CreateLogGroup" in reasons(client("cloudformation"), stack.name)[0]


def test_a_failing_create_takes_back_what_was_made_before_it(aws, client, stack):
    before = client("ec2").describe_vpcs()["Vpcs"]
    with aws.faults.failing("create", "AWS::Logs::LogGroup") as fault:
        assert stack("create", {**VPC, **LOGS}) == "ROLLBACK_COMPLETE"
    assert fault.injected == 1
    assert client("ec2").describe_vpcs()["Vpcs"] == before
    assert "Error Code: InternalFailure" in reasons(client("cloudformation"), stack.name)[0]


def test_a_failing_create_in_an_update_leaves_the_stack_as_it_was(aws, client, stack):
    assert stack("create", VPC) == "CREATE_COMPLETE"
    with aws.faults.failing("create", "AWS::Logs::LogGroup"):
        assert stack("update", {**VPC, **LOGS}) == "UPDATE_ROLLBACK_COMPLETE"
    resources = client("cloudformation").list_stack_resources(StackName=stack.name)["StackResourceSummaries"]
    assert [each["LogicalResourceId"] for each in resources] == ["Vpc"]


def test_an_update_that_fails_once_is_rolled_back(aws, client, stack):
    """The way back is an update of the same resource, which the fault lets through."""
    short, long = ({"Logs": {**LOGS["Logs"], "DependsOn": [], "Properties": {"RetentionInDays": d}}} for d in (1, 7))
    assert stack("create", short) == "CREATE_COMPLETE"
    with aws.faults.failing("update", "AWS::Logs::LogGroup", times=1) as fault:
        assert stack("update", long) == "UPDATE_ROLLBACK_COMPLETE"
    assert fault.injected == 1
    assert [group["retentionInDays"] for group in client("logs").describe_log_groups()["logGroups"]] == [1]


def test_a_failing_delete_leaves_the_stack_delete_failed_and_a_second_try_ends_it(aws, client, stack):
    cloudformation = client("cloudformation")
    assert stack("create", {**VPC, **LOGS}) == "CREATE_COMPLETE"
    with aws.faults.failing("delete", "AWS::EC2::VPC"):
        cloudformation.delete_stack(StackName=stack.name)
        assert stable(cloudformation, stack.name) == "DELETE_FAILED"
    left = cloudformation.list_stack_resources(StackName=stack.name)["StackResourceSummaries"]
    statuses = {each["LogicalResourceId"]: each["ResourceStatus"] for each in left}
    assert statuses["Vpc"] == "DELETE_FAILED"
    cloudformation.delete_stack(StackName=stack.name)
    assert stable(cloudformation, stack.name) == "DELETE_COMPLETE"


def test_what_no_fault_meets_is_the_providers_own(aws):
    providers = discover_providers()
    kinds = {name: (each.is_importable, each.replaced_in_place) for name, each in providers.items()}
    assert len(set(kinds.values())) > 1
    faulty = aws.engine.engine_context.providers
    assert {name: (faulty[name].is_importable, faulty[name].replaced_in_place) for name in kinds} == kinds


def test_a_slow_resource_holds_its_stack_until_it_is_released(aws, client, stack):
    cloudformation = client("cloudformation")
    with aws.faults.slow("create", "AWS::EC2::VPC") as slow:
        body = json.dumps({"Resources": VPC})
        cloudformation.create_stack(StackName=stack.name, TemplateBody=body)
        assert slow.reached.wait(timeout=60)
        found = cloudformation.describe_stacks(StackName=stack.name)["Stacks"][0]
        assert found["StackStatus"] == "CREATE_IN_PROGRESS"
        slow.released.set()
        assert stable(cloudformation, stack.name) == "CREATE_COMPLETE"

"""Calls that nobody here knows are refused in the words of their service, without a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws

ACCOUNT, REGION = "400000000000", "us-west-2"


@pytest.fixture(scope="module")
def client(local_aws: LocalAws) -> Callable[[str], Any]:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.mark.parametrize(
    ("service", "ask", "given", "text"),
    [
        (
            "ec2",
            "modify_capacity_reservation_fleet",
            {"CapacityReservationFleetId": "crf-1"},
            "ec2:ModifyCapacityReservationFleet",
        ),
        ("iam", "get_organizations_access_report", {"JobId": "0" * 36}, "iam:GetOrganizationsAccessReport"),
        ("athena", "list_engine_versions", {}, "athena:ListEngineVersions"),
        ("ec2", "describe_vpcs", {"Filters": [{"Name": "colour", "Values": ["red"]}]}, "The filter 'colour'"),
        ("efs", "describe_replication_configurations", {}, "describe_replication_configurations"),
        ("ses", "list_custom_verification_email_templates", {}, "list_custom_verification_email_templates"),
    ],
)
def test_an_operation_that_moto_does_not_have(client, capfd, service, ask, given, text):
    with pytest.raises(ClientError) as refused:
        getattr(client(service), ask)(**given)
    error = refused.value.response["Error"]
    assert (error["Code"], refused.value.response["ResponseMetadata"]["HTTPStatusCode"]) == ("NotImplemented", 501)
    assert "This local AWS does not know" in error["Message"]
    assert text in error["Message"]
    assert "Traceback" not in capfd.readouterr().err


def test_what_another_service_does_not_take_is_a_refusal_of_the_one_that_was_asked(client, capfd):
    """RunInstances takes a name of any length, DescribeLaunchTemplateVersions one of three letters or more."""
    with pytest.raises(ClientError) as refused:
        client("ec2").run_instances(LaunchTemplate={"LaunchTemplateName": "ok"}, MinCount=1, MaxCount=1)
    assert refused.value.response["Error"]["Code"] == "InvalidParameterValue"
    assert "Traceback" not in capfd.readouterr().err

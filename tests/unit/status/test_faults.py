"""Faults in the middle of `status`: credentials that expire, and a deletion that failed half-way."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from .conftest import Deployed, Environment, Read

pytestmark = pytest.mark.slow
NAME = "dev-inf2"


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME, ("network",))


def test_credentials_that_expire_make_nothing_healthy(
    environment: Environment, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    del environment
    before = read(NAME).healthy
    made: list[str] = []
    call = BaseClient._make_api_call

    def expiring(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        if len(made) > 2:
            raise ClientError({"Error": {"Code": "ExpiredToken", "Message": "expired"}}, operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", expiring)
    status = read(NAME)
    not_read = [line for line in status.lines if line.verdict == "not_read"]
    assert (status.exit, not_read != []) == (1, True)
    assert {"credentials have expired" in line.cause for line in not_read} == {True}
    assert [line for line in status.healthy if line not in before] == []
    assert len(status.healthy) < len(before)


def test_a_deletion_that_failed_half_way_is_an_error_of_its_stack(environment: Environment, read: Read) -> None:
    cloudformation, name = environment.client("cloudformation"), f"{NAME}-network"
    cloudformation.update_termination_protection(EnableTerminationProtection=False, StackName=name)
    with environment.aws.faults.failing("delete", "AWS::EC2::VPC"):
        cloudformation.delete_stack(StackName=name)
        environment.aws.engine.wait()
    status = read(NAME)
    (line,) = [line for line in status.lines if line.subject == name]
    assert (status.exit, line.verdict, line.cause[:13]) == (3, "error", "DELETE_FAILED")
    assert f"destroy --local {NAME}" in (line.command or "")

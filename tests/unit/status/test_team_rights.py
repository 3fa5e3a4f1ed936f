"""Rights of the access entries of teams: their group, and no access policy."""

from __future__ import annotations

import pytest

from .breaks import ACCESS_POLICIES, heal
from .conftest import Deployed, Environment, Line, Read

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME = "research-teams"
MEMBER = {"clusterName": NAME, "principalArn": "arn:aws:iam::111122223333:role/research/vision"}


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME, ("network", "cluster"))


def bad(read: Read) -> list[Line]:
    return [line for line in read(NAME).others if line.section == "Access"]


def test_a_member_without_the_group_of_the_team_gets_it_back(environment: Environment, read: Read) -> None:
    assert bad(read) == []
    environment.client("eks").update_access_entry(**MEMBER, kubernetesGroups=["neuron-cluster:speech"])
    (line,) = bad(read)
    assert (line.verdict, line.subject) == ("error", MEMBER["principalArn"])
    assert line.cause == "it is not in the Kubernetes group neuron-cluster:vision"
    heal(environment, line)
    assert bad(read) == []


def test_a_member_who_was_made_an_admin_loses_the_policy_again(environment: Environment, read: Read) -> None:
    given = {"policyArn": f"{ACCESS_POLICIES}/AmazonEKSClusterAdminPolicy", "accessScope": {"type": "cluster"}}
    environment.client("eks").associate_access_policy(**MEMBER, **given)
    (line,) = bad(read)
    assert (line.verdict, line.cause[:33]) == ("warning", "it has AmazonEKSClusterAdminPolic")
    heal(environment, line)
    assert bad(read) == []


def test_rights_that_were_not_read_are_not_healthy(environment: Environment, read: Read) -> None:
    with environment.aws.faults.access_denied("eks", "ListAssociatedAccessPolicies"):
        lines = [line for line in read(NAME).lines if line.subject == "rights of access entries"]
    assert [line.verdict for line in lines] == ["not_read"]

"""A failed operation leaves exactly what was there before it, as the services tell it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from account_snapshot import plain, snapshot

from local_aws.clients import local_client
from local_aws.engine.drift import Services
from local_aws.server import LocalAws
from neuron_cluster.local_checks.product_local_aws import product_local_aws

pytestmark = pytest.mark.slow
ACCOUNT, REGION, STACK = "111122223333", "us-west-2", "exact"
GIVEN = yaml.safe_load((Path(__file__).parent / "account.yaml").read_text())
BEFORE, AFTER = GIVEN["before"], GIVEN["after"]
CANARY = {
    "Type": "AWS::EC2::SecurityGroupIngress",
    "Properties": {"GroupId": "sg-00000000000000000", "IpProtocol": "tcp", "FromPort": 1, "ToPort": 1}
    | {"CidrIp": "10.0.0.0/8"},
}
"""EC2 refuses it: there is no such group."""
Resources = dict[str, Any]


@dataclass(frozen=True)
class Account:
    """An account that holds the stack."""

    aws: LocalAws

    def client(self, service: str) -> Any:
        return local_client(service, self.aws.endpoint, ACCOUNT, REGION)

    def status(self) -> str:
        return str(self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"])

    def create(self, resources: Resources) -> str:
        """The stack's status in the end."""
        client = self.client("cloudformation")
        client.create_stack(**request(resources, "before"))
        self.aws.engine.wait()
        return self.status()

    def update(self, resources: Resources) -> str:
        client = self.client("cloudformation")
        client.update_stack(**request(resources, "after"))
        self.aws.engine.wait()
        return self.status()

    def state(self) -> dict[str, Any]:
        """Each resource of the stack as its service reads it, and every list of the account."""
        stack = self.aws.engine.table.get(ACCOUNT, REGION, STACK)
        services = Services(self.aws.engine.engine_context, stack)
        read = {name: (each.physical_id, plain(services.reported(each))) for name, each in stack.resources.items()}
        return {**read, **snapshot(self.client)}

    def reasons(self) -> list[str]:
        events = self.client("cloudformation").describe_stack_events(StackName=STACK)["StackEvents"]
        failed = [event for event in events if event["ResourceStatus"].endswith("FAILED")]
        return [f"{each['LogicalResourceId']}: {each['ResourceStatusReason']}" for each in failed]


def request(resources: Resources, moment: str) -> dict[str, Any]:
    """Another moment changes the stack's tags, and so everything that carries them."""
    body = json.dumps({"Resources": resources})
    tags = [{"Key": "moment", "Value": moment}]
    return {"StackName": STACK, "TemplateBody": body, "Tags": tags, "Capabilities": ["CAPABILITY_IAM"]}


def changed(*kinds: str) -> Resources:
    """The template after the update, or after some kinds of its changes."""
    resources: Resources = copy.deepcopy(BEFORE)
    for kind in kinds:
        change = AFTER[kind]
        if kind == "removed":
            resources = {name: each for name, each in resources.items() if name not in change}
        elif kind == "added":
            resources |= change
        else:
            for name in [name for name in change if name in resources]:
                resources[name]["Properties"] |= change[name]
    return resources


def with_canary(resources: Resources, position: int) -> Resources:
    items = list(resources.items())
    return dict([*items[:position], ("Canary", CANARY), *items[position:]])


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: (before.get(name), after.get(name)) for name in {*before, *after} if before.get(name) != after.get(name)
    }


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    with product_local_aws() as aws:
        found = Account(aws)
        found.client("iam").create_role(RoleName="admin", AssumeRolePolicyDocument=json.dumps(TRUST))
        assert found.create(BEFORE) == "CREATE_COMPLETE", found.reasons()
        yield found


TRUST = BEFORE["Role"]["Properties"]["AssumeRolePolicyDocument"]
ALL = tuple(AFTER)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ALL)
def test_a_failed_update_of_one_kind_changes_nothing(account: Account, kind: str) -> None:
    """The refused resource comes last: all the others are changed by then. The next test has all kinds at once."""
    before = account.state()
    resources = changed(kind)
    assert account.update(with_canary(resources, len(resources))) == "UPDATE_ROLLBACK_COMPLETE", account.reasons()
    assert account.reasons()[0].startswith("Canary: ")
    assert differences(before, account.state()) == {}


FEW, ALL_PLACES = 2, pytest.param(None, id="every", marks=pytest.mark.exhaustive)


def places(resources: Resources, count: int | None) -> list[int]:
    """Positions for the refused resource: so many, the last among them; None: every one."""
    last = len(resources)
    return list(range(last + 1)) if count is None else [last * step // count for step in range(1, count + 1)]


@pytest.mark.parametrize("count", [FEW, ALL_PLACES])
def test_an_update_that_fails_at_any_place_changes_nothing(account: Account, count: int | None) -> None:
    """The refused resource stands at one place of the order after the other."""
    before, resources = account.state(), changed(*ALL)
    for position in places(resources, count):
        assert account.update(with_canary(resources, position)) == "UPDATE_ROLLBACK_COMPLETE", account.reasons()
        assert differences(before, account.state()) == {}, position


def test_the_same_update_without_the_refused_resource_arrives(account: Account) -> None:
    """So the failed ones failed at nothing else, and left nothing in the way."""
    assert account.update(changed(*ALL)) == "UPDATE_COMPLETE", account.reasons()
    assert account.update(BEFORE) == "UPDATE_COMPLETE", account.reasons()


@pytest.mark.parametrize("count", [FEW, ALL_PLACES])
def test_a_failed_creation_leaves_nothing(account: Account, count: int | None) -> None:
    """At whatever place it fails."""
    client = account.client("cloudformation")
    client.delete_stack(StackName=STACK)
    account.aws.engine.wait()
    before = snapshot(account.client)
    for position in places(BEFORE, count):
        assert account.create(with_canary(BEFORE, position)) == "ROLLBACK_COMPLETE"
        client.delete_stack(StackName=STACK)
        account.aws.engine.wait()
        assert differences(before, snapshot(account.client)) == {}, position

"""The local AWS rejects what a rule of cdk-preflight finds, as AWS does, and the accepted case is created.

`make test` deploys the first case of each base; the exhaustive tests deploy all, and compare them with the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from preflight_cases import ACCOUNT, REGION, PreflightCase, preflight_cases
from preflight_rules import Deployed, evaluate

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.local_checks.product_local_aws import product_local_aws

CASES = list(preflight_cases())
FIRST = {case.base: case for case in reversed(CASES)}.values()
PARAMETERS = [pytest.param(case, id=case.rule, marks=() if case in FIRST else pytest.mark.exhaustive) for case in CASES]
LOCAL_LIMIT = "this local AWS does not carry"
Deploy = Callable[[dict[str, Any]], tuple[str, list[str]]]


@pytest.fixture(scope="module")
def local_aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def deploy(local_aws: LocalAws) -> Iterator[Deploy]:
    """Creates a stack, and gives its status and why resources failed."""
    local_aws.empty()
    cloudformation = local_client("cloudformation", local_aws.endpoint, ACCOUNT, REGION)

    def create(template: dict[str, Any]) -> tuple[str, list[str]]:
        stack = cloudformation.create_stack(
            StackName="own", TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_NAMED_IAM"]
        )["StackId"]
        local_aws.engine.wait()
        (made,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
        events = cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
        failed = [each for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
        return made["StackStatus"], [each["ResourceStatusReason"] for each in failed]

    yield create
    local_aws.empty()


@pytest.mark.parametrize("case", PARAMETERS)
def test_the_refused_template_fails(case: PreflightCase, deploy: Deploy) -> None:
    status, reasons = deploy(case.refused)
    assert status in {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED"}
    assert [reason for reason in reasons if LOCAL_LIMIT in reason] == []


@pytest.mark.parametrize("case", PARAMETERS)
def test_the_accepted_template_is_created(case: PreflightCase, deploy: Deploy) -> None:
    assert deploy(case.accepted) == ("CREATE_COMPLETE", [])


@pytest.mark.exhaustive
def test_each_rule_finds_its_refused_template_and_nothing_in_the_accepted_one() -> None:
    stacks = {f"refused {case.rule}": Deployed(case.refused, REGION, ACCOUNT) for case in CASES}
    stacks |= {f"accepted {case.rule}": Deployed(case.accepted, REGION, ACCOUNT) for case in CASES}
    found = {(each.stack, each.rule) for each in evaluate(stacks).violations}
    assert [case.rule for case in CASES if (f"refused {case.rule}", case.rule) not in found] == []
    assert [stack for stack, _ in found if stack.startswith("accepted ")] == []

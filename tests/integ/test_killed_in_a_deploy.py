"""`kill -9` of the command or of the local AWS during a deploy: the next command says what to do, and works."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, Target, client, close_clients
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_note import note_path
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import running_endpoint
from neuron_cluster.local_aws.server import LocalAws

pytestmark = pytest.mark.slow
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"
ENVIRONMENT, CLUSTER = "only-data", "dev-inf2"
ONLY_DATA = """
schema: 1
name: only-data
account: 111122223333
region: us-west-2
neuron: {sdk: 2.32.0}
network:
  cidr: 10.40.0.0/16
  availability_zones: [usw2-az4, usw2-az1]
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}
"""
SECONDS = 120
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "only-data.yaml").write_text(ONLY_DATA)
    return project


@contextlib.contextmanager
def deploying(project: Path, name: str) -> Iterator[subprocess.Popen[str]]:
    """`deploy --local` as a process, which has ended with the block."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "deploy", "--local", name, "--project", str(project)]
    environ = {**os.environ, "CDK_VALIDATION": "false"}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as ran:  # noqa: S603 - our own
        try:
            yield ran
        finally:
            ran.kill()


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

    local_aws.faults.strike_call = strike_and_kill  # type: ignore[method-assign]
    try:
        yield killed
    finally:
        local_aws.faults.strike_call = strike  # type: ignore[method-assign]


def settled(target: Target) -> dict[str, str]:
    """Stacks by status, when CloudFormation works on none any more."""
    deadline = time.monotonic() + SECONDS
    while True:
        rows = client(target, "cloudformation").describe_stacks()["Stacks"]
        found = {row["StackName"]: row["StackStatus"] for row in rows}
        if not any(status.endswith("_IN_PROGRESS") for status in found.values() if status != "REVIEW_IN_PROGRESS"):
            return found
        assert time.monotonic() < deadline, found


def assert_deploys_and_goes(command: Command, target: LocalTarget, name: str) -> None:
    """The next deploy works, at once or as soon as CloudFormation has ended what it says that it waits for."""
    ran = command("deploy", "--local", name)
    if ran.status:
        (finding,) = ran.document["findings"]
        assert finding["id"] == "E9531", finding
        assert "wait until it has ended, then run the command again" in finding["hint"]
        settled(target)
        ran = command("deploy", "--local", name)
    assert ran.status == 0, ran.document
    statuses = {status for stack, status in settled(target).items() if stack.startswith(name)}
    assert statuses <= {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    gone = command("destroy", "--local", name, "--delete-data", name)
    assert (gone.status, gone.document["kept"]) == (0, [])
    assert not any(stack.startswith(name) for stack in settled(target))


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
    assert settled(here.target) == {"CDKToolkit": "CREATE_COMPLETE"}
    bootstrap_if_needed(CHECKOUT, here, said.put)
    assert said.empty()


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
        ("cloudformation:DescribeStackEvents", 8),
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


@pytest.mark.exhaustive
@pytest.mark.usefixtures("cdk_of_its_own")
@pytest.mark.parametrize(
    "type_name",
    ["AWS::EC2::VPC", "AWS::EKS::Cluster", "AWS::EKS::Nodegroup", "Custom::AWSCDK-EKS-HelmChart"],
)
def test_the_command_is_killed_while_a_resource_is_made(
    command: Command, target: LocalTarget, local_aws: LocalAws, project: Path, type_name: str
) -> None:
    """CloudFormation continues without it; a command that comes too early says so, and changes nothing."""
    local_aws.empty()
    with local_aws.faults.slow("create", type_name) as fault, deploying(project, CLUSTER) as ran:
        assert fault.reached.wait(SECONDS)
        ran.kill()
        ran.communicate(timeout=SECONDS)
        early = command("deploy", "--local", CLUSTER)
        assert (early.status, early.ids) == (1, ["E9531"])
    settled(target)
    assert_deploys_and_goes(command, target, CLUSTER)


@contextlib.contextmanager
def kept_local_aws(project: Path, mark: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], LocalTarget]]:
    """`neuron-cluster local` as a process, killed with the block."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "local", "--port", "0", "--project", str(project)]
    environ = {**os.environ, "PYTHONUNBUFFERED": "1", **mark}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        try:
            assert process.stdout is not None
            assert "listens at" in process.stdout.readline()
            endpoint = running_endpoint(project)
            assert endpoint is not None
            target = LocalTarget(REGION, ACCOUNT, endpoint)
            yield process, target
            close_clients(target)
        finally:
            process.kill()


def wait_for(target: LocalTarget, name: str, status: str) -> None:
    """Until the stack is in the status; asked all the time, because it may last for a second only."""
    cloudformation, deadline = client(target, "cloudformation"), time.monotonic() + SECONDS
    while True:
        rows = cloudformation.describe_stacks()["Stacks"]
        if any((row["StackName"], row["StackStatus"]) == (name, status) for row in rows):
            return
        assert time.monotonic() < deadline, rows


def marked(mark: dict[str, str]) -> list[bytes]:
    """Command lines of the processes that have the variable."""
    ((name, value),) = mark.items()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            if f"{name}={value}".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes())
    return [each for each in found if each]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("cdk_of_its_own")
@pytest.mark.parametrize(
    ("environment", "stack", "status"),
    [
        (ENVIRONMENT, "CDKToolkit", "CREATE_IN_PROGRESS"),
        (ENVIRONMENT, "CDKToolkit", "CREATE_COMPLETE"),
        (ENVIRONMENT, "only-data-network", "CREATE_IN_PROGRESS"),
        (ENVIRONMENT, "only-data-network", "CREATE_COMPLETE"),
        (ENVIRONMENT, "only-data-storage", "CREATE_COMPLETE"),
        (CLUSTER, "dev-inf2-cluster", "CREATE_IN_PROGRESS"),
        (CLUSTER, "dev-inf2-software", "CREATE_IN_PROGRESS"),
    ],
)
def test_the_local_aws_is_killed(command: Command, project: Path, environment: str, stack: str, status: str) -> None:
    """The command ends and says why; what the local AWS had started ends with it; a new one starts, over the note."""
    mark = {"NEURON_CLUSTER_TEST": str(uuid.uuid4())}
    with kept_local_aws(project, mark) as (server, target), deploying(project, environment) as ran:
        wait_for(target, stack, status)
        server.kill()
        out, _ = ran.communicate(timeout=SECONDS)
    assert ran.returncode == 1
    assert "has ended, and everything in it is gone" in " ".join(out.split()), out
    assert "Traceback" not in out
    deadline = time.monotonic() + SECONDS
    while left := marked(mark):
        assert time.monotonic() < deadline, left
    assert note_path(project).exists()
    with kept_local_aws(project, mark) as (_, target):
        assert_deploys_and_goes(command, target, environment)

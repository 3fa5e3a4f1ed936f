"""`kill -9` of the local AWS during a deploy: the command that uses it ends and says why, and the next ones work."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.local_note import note_path
from neuron_cluster.deploy.local_server import running_endpoint

from .killed_deploys import CLUSTER, ENVIRONMENT, SECONDS, Command, assert_deploys_and_goes, deploying
from .only_data import with_only_data

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    """No other local AWS runs for it."""
    return with_only_data(project)


@contextlib.contextmanager
def kept_local_aws(project: Path, mark: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], LocalTarget]]:
    """`neuron-cluster local` as a process, killed with the block."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "local", "--port", "0", "--project", str(project)]
    environ = {**os.environ, "PYTHONUNBUFFERED": "1", **mark}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
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

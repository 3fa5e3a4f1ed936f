"""A deploy that is killed, and what the next command must make of what it left."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from neuron_cluster.aws.session import LocalTarget, Target, client

ENVIRONMENT, CLUSTER, SLURM = "only-data", "dev-inf2", "slurm-trn1"
SECONDS = 120
Command = Callable[..., Any]


@contextlib.contextmanager
def deploying(project: Path, name: str) -> Iterator[subprocess.Popen[str]]:
    """`deploy --local` as a process, which has ended with the block."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "deploy", "--local", name, "--project", str(project)]
    environ = {**os.environ, "CDK_VALIDATION": "false"}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as ran:
        try:
            yield ran
        finally:
            ran.kill()


def stable(target: Target) -> dict[str, str]:
    """Stacks by status, when CloudFormation works on none any more."""
    deadline = time.monotonic() + SECONDS
    while True:
        rows = client(target, "cloudformation").describe_stacks()["Stacks"]
        found = {row["StackName"]: row["StackStatus"] for row in rows}
        if not any(status.endswith("_IN_PROGRESS") for status in found.values() if status != "REVIEW_IN_PROGRESS"):
            return found
        assert time.monotonic() < deadline, found


def assert_deploys_and_goes(command: Command, target: LocalTarget, name: str) -> None:
    """The next deploy works: it waits for what CloudFormation continues, and makes the rest."""
    ran = command("deploy", "--local", name)
    assert ran.status == 0, ran.document
    assert_goes(command, target, name)


def assert_goes(command: Command, target: LocalTarget, name: str) -> None:
    """The environment is complete, and can be destroyed."""
    statuses = {status for stack, status in stable(target).items() if stack.startswith(name)}
    assert statuses <= {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    gone = command("destroy", "--local", name, "--delete-data", name)
    assert (gone.status, gone.document["kept"]) == (0, [])
    assert not any(stack.startswith(name) for stack in stable(target))

"""`neuron-cluster local --snapshot FILE`: an environment outlives the process of its local AWS."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.local_server import running_endpoint

from .killed_deploys import Command, stable

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME, ACCOUNT, REGION = "dev-inf2", "111122223333", "us-west-2"
SECONDS = 120


@contextlib.contextmanager
def kept_local_aws(project: Path, snapshot: Path) -> Iterator[tuple[LocalTarget, str]]:
    """A process, its first lines, and what Ctrl-C makes of it."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "local", "--port", "0", "--project", str(project)]
    environ = {**os.environ, "PYTHONUNBUFFERED": "1"}
    arguments = [*command, "--snapshot", str(snapshot)]
    with subprocess.Popen(arguments, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = process.stdout.readline() + process.stdout.readline()
            endpoint = running_endpoint(project)
            assert endpoint is not None, lines
            target = LocalTarget(REGION, ACCOUNT, endpoint)
            yield target, lines
            close_clients(target)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=SECONDS)
            assert errors.splitlines()[-2:] == [f"Its state is in {snapshot}.", "The local AWS has stopped."]
            assert process.returncode == 0
        finally:
            process.kill()


def test_environment_lives_on_in_another_process(command: Command, project: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "aws.zip"
    with kept_local_aws(project, snapshot) as (_, lines):
        assert "restored" not in lines
        assert command("deploy", "--local", NAME).status == 0
    with kept_local_aws(project, snapshot) as (_, lines):
        assert f"Its state was restored from {snapshot}." in lines
        assert command("diff", "--local", NAME, "--exit-code").status == 0
        file = project / "environments" / f"{NAME}.yaml"
        before = file.read_text()
        file.write_text(before.replace("capacity_gib: 1200", "capacity_gib: 2400") + "tags: {edited: 'yes'}\n")
        assert command("diff", "--local", NAME, "--exit-code").status == 3
        assert command("deploy", "--local", NAME).status == 0
    with kept_local_aws(project, snapshot) as (target, _):
        gone = command("destroy", "--local", NAME, "--delete-data", NAME)
        assert (gone.status, gone.document["kept"]) == (0, [])
        assert not any(stack.startswith(NAME) for stack in stable(target))
        assert client(target, "ec2").describe_vpcs(Filters=[{"Name": "is-default", "Values": ["false"]}])["Vpcs"] == []
        file.write_text(before)


def test_broken_snapshot_ends_the_command(command: Command, project: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "aws.zip"
    snapshot.write_text("hello")
    ran = command("local", "--port", "0", "--snapshot", str(snapshot))
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert "is not a snapshot, or it is damaged" in finding["message"]
    assert "name another file" in finding["hint"]
    assert snapshot.read_text() == "hello"

"""Several local AWS at once: each has its own port, its own state, and is reached from this machine only."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from local_aws.clients import close_clients, local_client
from local_aws.quotas import default_value
from local_aws.run_secrets import UNKNOWN, secret_of
from neuron_cluster.aws.cloudformation import stack
from neuron_cluster.aws.session import close_clients as close_clients_of
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_server import local_server, running_endpoint
from neuron_cluster.errors import ToolkitError

pytestmark = pytest.mark.slow
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"


@dataclass(frozen=True)
class LocalCloud:
    """`neuron-cluster local` as a process."""

    process: subprocess.Popen[str]
    endpoint: str

    def client(self, service: str) -> Any:
        return local_client(service, self.endpoint, ACCOUNT, REGION)


@contextlib.contextmanager
def local_cloud(project: Path, *options: str) -> Iterator[LocalCloud]:
    """A cloud of its own project, on any free port; ended with the block."""
    (project / "environments").mkdir(parents=True)
    shutil.copy(CHECKOUT / "cdk.json", project)
    shutil.copy(CHECKOUT / "environments" / "dev-inf2.yaml", project / "environments")
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "local", "--port", "0", "--project", str(project)]
    command += options
    environ = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        try:
            endpoint = announced_endpoint(process)
            assert running_endpoint(project) == endpoint  # clients of this process know its secret from now on
            yield LocalCloud(process, endpoint)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def announced_endpoint(process: subprocess.Popen[str]) -> str:
    """The first address it prints; it prints one when it serves."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"http://[\w.]+:\d+", line)
        if found:
            return found[0]
    raise AssertionError("the local AWS ended without an address")


def listening(pid: int) -> set[str]:
    """Addresses on which a process listens, as /proc writes them: the hexadecimal address and port."""
    inodes = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            inodes.add(str(descriptor.readlink()).removeprefix("socket:[").removesuffix("]"))
    rows = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()]
    return {row[1] for row in rows if len(row) > 9 and row[3] == "0A" and row[9] in inodes}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return tmp_path_factory.mktemp("first") / "project", tmp_path_factory.mktemp("second") / "project"


@pytest.fixture(scope="module")
def clouds(projects: tuple[Path, Path]) -> Iterator[tuple[LocalCloud, LocalCloud]]:
    """The second one plays an account that was never used. The last two tests end the one and the other."""
    with local_cloud(projects[0]) as first, local_cloud(projects[1], "--fresh-account") as second:
        yield first, second
        close_clients(first.endpoint)
        close_clients(second.endpoint)


def test_what_one_has_the_other_does_not_see(clouds: tuple[LocalCloud, LocalCloud]) -> None:
    """The same account, Region and names in both."""
    first, second = clouds
    assert urlsplit(first.endpoint).port != urlsplit(second.endpoint).port
    for number, cloud in enumerate(clouds):
        cloud.client("ssm").put_parameter(Name="/which", Value=str(number), Type="String")
        cloud.client("s3").create_bucket(
            Bucket=f"bucket-{number}", CreateBucketConfiguration={"LocationConstraint": REGION}
        )
    for number, cloud in enumerate(clouds):
        assert cloud.client("ssm").get_parameter(Name="/which")["Parameter"]["Value"] == str(number)
        assert [row["Name"] for row in cloud.client("s3").list_buckets()["Buckets"]] == [f"bucket-{number}"]
    first.client("ssm").delete_parameter(Name="/which")
    assert second.client("ssm").get_parameter(Name="/which")["Parameter"]["Value"] == "1"


def trn_quota(cloud: LocalCloud) -> float:
    quotas = cloud.client("service-quotas")
    return float(quotas.get_service_quota(ServiceCode="ec2", QuotaCode="L-2C3B7624")["Quota"]["Value"])


def roles(cloud: LocalCloud) -> list[str]:
    return [row["RoleName"] for row in cloud.client("iam").list_roles()["Roles"]]


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks at /proc")
def test_each_listens_on_the_loopback_interface_only(clouds: tuple[LocalCloud, LocalCloud]) -> None:
    for cloud in clouds:
        port = urlsplit(cloud.endpoint).port
        assert listening(cloud.process.pid) == {f"{bytes([1, 0, 0, 127]).hex().upper()}:{port:04X}"}


def test_the_secret_is_in_no_arguments_and_in_no_file_of_others(clouds: tuple[LocalCloud, LocalCloud]) -> None:
    for cloud in clouds:
        secret = secret_of(cloud.endpoint)
        assert secret != UNKNOWN
        assert secret.encode() not in Path(f"/proc/{cloud.process.pid}/cmdline").read_bytes()


def test_the_end_of_one_leaves_the_other(projects: tuple[Path, Path], clouds: tuple[LocalCloud, LocalCloud]) -> None:
    """The one that ends plays an account that was never used; the other has what a deploy needs."""
    first, fresh = clouds
    assert (trn_quota(fresh), trn_quota(first)) == (0, default_value())
    assert (roles(fresh), roles(first)) == ([], ["platform-admin"])
    with local_server(projects[1]) as found:
        assert found.is_fresh_account
    close_clients(fresh.endpoint)
    fresh.process.send_signal(signal.SIGTERM)
    assert fresh.process.wait(60) in {0, 128 + signal.SIGTERM}
    with pytest.raises(ConnectionRefusedError), socket.create_connection(address(fresh), timeout=5):
        pass
    assert first.client("sts").get_caller_identity()["Account"] == ACCOUNT


def address(cloud: LocalCloud) -> tuple[str, int]:
    url = urlsplit(cloud.endpoint)
    return url.hostname or "", url.port or 0


@pytest.mark.hints("E9528")
def test_a_local_aws_that_was_killed_is_told(
    projects: tuple[Path, Path], clouds: tuple[LocalCloud, LocalCloud]
) -> None:
    cloud, project = clouds[0], projects[0]
    target = local_destination(cloud.endpoint, ACCOUNT, REGION).target
    assert stack(target, "none") is None
    cloud.process.kill()
    cloud.process.wait()
    with pytest.raises(ToolkitError) as reported:
        stack(target, "none")
    close_clients_of(target)
    assert reported.value.message == f"the local AWS at {cloud.endpoint} has ended, and everything in it is gone"
    assert reported.value.hint.endswith("; without one `deploy --local` starts its own")
    assert running_endpoint(project) is None
    with local_server(project) as own:
        target = local_destination(own.endpoint, ACCOUNT, REGION).target
        assert stack(target, "none") is None
        close_clients_of(target)

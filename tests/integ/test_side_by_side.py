"""A local AWS shares nothing: not with the one before it, not with the network, not with the user's AWS settings."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from local_aws.clients import local_client
from local_aws.quotas import quota_value, set_quota, vcpu_quotas
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
TEMPLATE = '{"Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "of-the-stack"}}}}'


def own_addresses() -> list[str]:
    """Addresses of this machine by which others could reach it. Nothing is sent: only a route is chosen."""
    found = ["::1"]
    for family, elsewhere in ((socket.AF_INET, "203.0.113.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found


@pytest.mark.parametrize("address", own_addresses())
def test_no_other_address_of_this_machine_answers(address: str) -> None:
    with LocalAws() as aws:
        port = urlsplit(aws.endpoint).port
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
        with pytest.raises(OSError), socket.create_connection((address, port), timeout=5):
            pass


def test_the_next_one_in_a_process_knows_nothing_of_the_one_before() -> None:
    """Neither what services hold, nor stacks, quotas and faults."""
    code = next(iter(vcpu_quotas()))
    for _ in range(2):
        with LocalAws() as aws:
            s3, iam, ec2, ssm, stacks = (
                local_client(each, aws.endpoint, ACCOUNT, REGION)
                for each in ("s3", "iam", "ec2", "ssm", "cloudformation")
            )
            assert s3.list_buckets()["Buckets"] == []
            assert iam.list_users()["Users"] == []
            assert ssm.describe_parameters()["Parameters"] == []
            assert stacks.list_stacks()["StackSummaries"] == []
            assert {vpc["IsDefault"] for vpc in ec2.describe_vpcs()["Vpcs"]} <= {True}
            assert quota_value(aws.store, ACCOUNT, REGION, code) != 1
            iam.create_user(UserName="u")
            ec2.create_vpc(CidrBlock="10.0.0.0/16")
            ssm.put_parameter(Name="/x", Value="1", Type="String")
            set_quota(aws.store, ACCOUNT, REGION, code, 1)
            stacks.create_stack(StackName="one", TemplateBody=TEMPLATE)
            stacks.get_waiter("stack_create_complete").wait(StackName="one", WaiterConfig={"Delay": 1})
            assert [row["Name"] for row in s3.list_buckets()["Buckets"]] == ["of-the-stack"]


def test_a_second_one_at_a_time_in_a_process_is_refused_and_harms_nothing() -> None:
    with LocalAws() as aws:
        with pytest.raises(RuntimeError, match="a process of its own"):
            LocalAws()
        assert local_client("sts", aws.endpoint, ACCOUNT, REGION).get_caller_identity()["Account"] == ACCOUNT
    with LocalAws() as after:
        assert after.endpoint != ""


@dataclass
class Trap:
    """Listens where hostile settings point to, and notes who comes."""

    url: str
    visitors: list[bytes] = field(default_factory=list)


@pytest.fixture
def trap() -> Iterator[Trap]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        caught = Trap(f"http://127.0.0.1:{listener.getsockname()[1]}")
        thread = threading.Thread(target=_note_visitors, args=(listener, caught.visitors))
        thread.start()
        yield caught
        with socket.create_connection(listener.getsockname()):  # wakes the thread, which then ends
            pass
        thread.join()


def _note_visitors(listener: socket.socket, visitors: list[bytes]) -> None:
    while True:
        visitor, _ = listener.accept()
        with visitor:
            said = visitor.recv(200)
        if not said:
            return
        visitors.append(said)


def hostile(trap: Trap) -> dict[str, str]:
    """Settings that would lead every AWS tool to the trap, or end it with an error."""
    endpoints = [
        "AWS_ENDPOINT_URL",
        *(f"AWS_ENDPOINT_URL_{name}" for name in ("S3", "STS", "EKS", "CLOUDFORMATION", "SSM")),
    ]
    proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
    return {
        **dict.fromkeys([*endpoints, *proxies], trap.url),
        "AWS_PROFILE": "production",
        "AWS_CONFIG_FILE": "/nonexistent/config",
        "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent/credentials",
        "AWS_CA_BUNDLE": "/nonexistent/ca.pem",
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_SESSION_TOKEN": "token",
        "AWS_USE_FIPS_ENDPOINT": "true",
        "AWS_USE_DUALSTACK_ENDPOINT": "true",
        "AWS_RETRY_MODE": "nonsense",
        "AWS_DEFAULTS_MODE": "nonsense",
        "AWS_DATA_PATH": "/nonexistent",
    }


@pytest.mark.parametrize("service", ["sts", "s3", "eks", "ec2", "fsx", "ssm", "cloudformation"])
def test_the_engines_clients_see_no_setting_of_the_user(
    monkeypatch: pytest.MonkeyPatch, trap: Trap, service: str
) -> None:
    for name, value in hostile(trap).items():
        monkeypatch.setenv(name, value)
    questions = {
        "sts": "get_caller_identity",
        "s3": "list_buckets",
        "eks": "list_clusters",
        "ec2": "describe_vpcs",
        "fsx": "describe_file_systems",
        "ssm": "describe_parameters",
        "cloudformation": "list_stacks",
    }
    with LocalAws() as aws:
        answer = getattr(local_client(service, aws.endpoint, ACCOUNT, REGION), questions[service])()
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert trap.visitors == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("environment", ["workstation", "dev-inf2"])
def test_a_deploy_and_all_its_processes_see_no_setting_of_the_user(
    environment: str, trap: Trap, checkout_project: Path
) -> None:
    """The CDK command too, and with a cluster the processes of custom resources (``test_event_process.py``)."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "deploy", environment, "--local"]
    ran = subprocess.run(
        [*command, "--project", str(checkout_project)],
        env={**os.environ, **hostile(trap), "CDK_VALIDATION": "false"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert trap.visitors == []

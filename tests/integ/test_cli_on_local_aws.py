"""`deploy` and `destroy` against a local AWS: what is built, kept, refused and left behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in
from msgspec import structs

from local_aws.quotas import default_value, set_quota, vcpu_quotas
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.deployed_assembly import write_deployed_assembly
from neuron_cluster.deploy.deployment import DeployError, Deployment
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.differences import differences
from neuron_cluster.deploy.existing import read_existing
from neuron_cluster.deploy.health import health_findings
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import recorded
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.existing import ExistingEks

from .only_data import WITH_SYNC, with_only_data

pytestmark = pytest.mark.slow
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    return with_only_data(project, WITH_SYNC)


def stacks(target: LocalTarget, prefix: str) -> set[str]:
    found = client(target, "cloudformation").describe_stacks()["Stacks"]
    return {stack["StackName"] for stack in found if stack["StackName"].startswith(prefix)}


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The hosts that this process connects to, while the environment holds all that could lead it to AWS."""
    for name, value in {
        "AWS_PROFILE": "production",
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "AWS_SESSION_TOKEN": "token",
        "AWS_ENDPOINT_URL": "https://example.com",
        "AWS_ENDPOINT_URL_S3": "https://s3.example.com",
        "AWS_ENDPOINT_URL_CLOUDFORMATION": "https://cloudformation.example.com",
        "AWS_REGION": "eu-central-1",
        "AWS_USE_FIPS_ENDPOINT": "true",
        "HTTPS_PROXY": "http://203.0.113.1:3128",
        "HTTP_PROXY": "http://203.0.113.1:3128",
    }.items():
        monkeypatch.setenv(name, value)
    hosts: set[str] = set()
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        hosts.add(str(address[0]) if isinstance(address, tuple) else str(address))
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    return hosts


@pytest.mark.exhaustive
@pytest.mark.hints("E9523", "W9505")
def test_an_environment_without_data_is_built_not_changed_and_removed_entirely(
    command: Command,
    target: LocalTarget,
    local_aws: LocalAws,
    project: Path,
    reached: set[str],
    run_aws: Callable[[str], None],
) -> None:
    """And no connection leaves this machine, whatever the environment holds."""
    first = command("deploy", "--local", "dev-inf2")
    assert first.status == 0
    assert {stack["status"] for stack in first.document["stacks"]} == {"CREATE_COMPLETE"}
    existing = first.document["existing"]
    assert {group["group"]["desired"] for group in existing["node_groups"]} == {0, 2}
    assert [subnet["zone_id"] for subnet in existing["subnets"]][:2] == ["usw2-az1", "usw2-az2"]
    assert "neuron" in {chart["release"] for chart in existing["charts"]}
    assert set(uploads(target).values()) == {1}, "the CDK command uploads what is there"
    patches = [row["resource"] for row in recorded(target.endpoint, ACCOUNT, REGION) if row["kind"] == "patch"]
    assert patches == ["namespace/default"]
    with a_group_without_nodes(target, local_aws):
        again = command("deploy", "--local", "dev-inf2")
    assert not any(stack["changed"] for stack in again.document["stacks"])
    assert (again.status, again.ids[-1]) == (1, "E9523"), "a group is DEGRADED, which is no success"
    run_aws(*commands_in(again.document["findings"][-1]["hint"]))
    plan = check_environment(project / "environments" / "dev-inf2.yaml").require_plan()
    assert_nothing_is_unhealthy_any_more(plan, target, run_aws)
    assert_changes_of_another_program_can_be_undone(plan, target, run_aws)
    assert_diff_tells_nodes_and_access(command, project)
    gone = command("destroy", "--local", "dev-inf2")
    assert (gone.status, gone.document["kept"]) == (0, [])
    assert stacks(target, "dev-inf2") == set()
    assert_the_log_group_stays_until_it_is_deleted(command, target, gone.document["left_over"], run_aws)
    assert recorded(target.endpoint, ACCOUNT, REGION) == []
    assert reached == {"127.0.0.1"}


def assert_the_log_group_stays_until_it_is_deleted(
    command: Command, target: LocalTarget, left_over: list[dict[str, str]], run_aws: Callable[[str], None]
) -> None:
    """Deletes it by the commands that `destroy` names, and by `destroy --delete-data`."""
    name = "/aws/eks/dev-inf2/cluster"
    logs = client(target, "logs")
    (found,) = left_over
    assert found["what"].startswith(f"log group {name} (0.0 MiB; entries expire after 90 days)")
    for each in found["command"].split(" && "):
        run_aws(each)
    (again,) = logs.describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    assert "retentionInDays" not in again, "EKS has written its last lines into one of its own"
    deleted = command("destroy", "--local", "dev-inf2", "--delete-data", "dev-inf2")
    assert f"Deleting permanently: log group {name}" in deleted.err
    assert (deleted.document["left_over"], logs.describe_log_groups(logGroupNamePrefix=name)["logGroups"]) == ([], [])


def assert_nothing_is_unhealthy_any_more(
    plan: ClusterPlan, target: LocalTarget, run_aws: Callable[[str], None]
) -> None:
    """Once the count is what the quota has; and the command that tells of an add-on can be run as it is."""
    here = local_destination(target.endpoint, ACCOUNT, REGION)
    existing = read_existing(target, sorted(stacks(target, "dev-inf2")))
    assert health_findings(existing, plan, here) == []
    (eks,) = [each for each in existing.providers if isinstance(each, ExistingEks)]
    lacking = structs.replace(eks, addons=(structs.replace(eks.addons[0], status="DEGRADED"),))
    (warning,) = lacking.findings(plan, here)
    assert warning.id == "W9505"
    run_aws(*commands_in(warning.hint))


def assert_changes_of_another_program_can_be_undone(
    plan: ClusterPlan, target: LocalTarget, run_aws: Callable[[str], None]
) -> None:
    """An endpoint that is open, logs that are off, an add-on that is gone and a group of another size: by the hints."""
    here = local_destination(target.endpoint, ACCOUNT, REGION)
    names = sorted(stacks(target, "dev-inf2"))
    assert differences(read_existing(target, names), plan, here) == []
    eks, name = client(target, "eks"), {"clusterName": "dev-inf2"}
    eks.update_cluster_config(name="dev-inf2", resourcesVpcConfig={"endpointPublicAccess": True})
    off = {"types": ["audit"], "enabled": False}
    eks.update_cluster_config(name="dev-inf2", logging={"clusterLogging": [off]})
    eks.delete_addon(**name, addonName="eks-pod-identity-agent")
    group = eks.list_nodegroups(**name)["nodegroups"][0]
    eks.update_nodegroup_config(**name, nodegroupName=group, scalingConfig={"maxSize": 9})
    found = differences(read_existing(target, names), plan, here)
    assert sorted(each.location.file for each in found) == sorted(
        ["dev-inf2", "dev-inf2", "eks-pod-identity-agent", group]
    )
    for each in found:
        run_aws(*commands_in(each.hint))
    assert differences(read_existing(target, names), plan, here) == []


@contextlib.contextmanager
def a_group_without_nodes(target: LocalTarget, local_aws: LocalAws) -> Iterator[None]:
    """The Neuron group wants a node that the quota does not have; EKS takes the size, and the group is DEGRADED."""
    eks = client(target, "eks")
    (name,) = [each for each in eks.list_nodegroups(clusterName="dev-inf2")["nodegroups"] if each.startswith("inf2-")]
    group = {"clusterName": "dev-inf2", "nodegroupName": name}
    for code in vcpu_quotas():
        set_quota(local_aws.store, ACCOUNT, REGION, code, 0)
    eks.update_nodegroup_config(**group, scalingConfig={"desiredSize": 1})
    assert eks.describe_nodegroup(**group)["nodegroup"]["status"] == "DEGRADED"
    yield
    for code in vcpu_quotas():
        set_quota(local_aws.store, ACCOUNT, REGION, code, default_value())
    eks.update_nodegroup_config(**group, scalingConfig={"desiredSize": 0})
    assert eks.describe_nodegroup(**group)["nodegroup"]["status"] == "ACTIVE"


def assert_diff_tells_nodes_and_access(command: Command, project: Path) -> None:
    """An edit of the file, compared with what is deployed."""
    file = project / "environments" / "dev-inf2.yaml"
    deployed = file.read_text()
    file.write_text(
        deployed.replace("role/platform-admin", "role/other-admin")
        .replace("min: 0, desired: 0, max: 2", "min: 0, desired: 2, max: 2")
        .replace("size_gib: 100", "size_gib: 120")
    )
    document = command("diff", "--local", "dev-inf2").document
    file.write_text(deployed)
    assert [(change["group"], change["kind"]) for change in document["nodes"]] == [
        ("inf2", "scaled"),
        ("system", "rolled"),
    ]
    assert [(change["who"].rpartition("/")[2], change["kind"]) for change in document["access"]] == [
        ("other-admin", "added"),
        ("platform-admin", "removed"),
    ]


def uploads(target: LocalTarget) -> Counter[str]:
    """How often each file was put into CDK's bucket, which keeps every version; kubectl and helm are among them."""
    bucket = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"
    versions = client(target, "s3").list_object_versions(Bucket=bucket)["Versions"]
    assert max(version["Size"] for version in versions) > 1024 * 1024
    return Counter(str(version["Key"]) for version in versions)


@pytest.mark.hints("W9652")
def test_data_survives_a_destroy_and_goes_only_by_name(
    command: Command, target: LocalTarget, run_aws: Callable[[str], None]
) -> None:
    existing = command("deploy", "--local", "only-data").document["existing"]
    (bucket,), (file_system,) = existing["buckets"], existing["file_systems"]
    assert bucket["is_versioned"]
    assert bucket["blocks_public_access"]
    assert bucket["encryption"].startswith("aws:kms ")
    assert file_system["associations"][0]["repository"].startswith(f"s3://{bucket['name']}/")
    s3 = client(target, "s3")
    for body in (b"one", b"two"):
        s3.put_object(Bucket=bucket["name"], Key="step", Body=body)

    retained = command("destroy", "--local", "only-data")
    assert retained.document["kept"] == ["only-data-network", "only-data-storage"]
    assert bucket["name"] in retained.err
    suspended = {"Bucket": bucket["name"], "VersioningConfiguration": {"Status": "Suspended"}}
    s3.put_bucket_versioning(**suspended)
    deployed = command("deploy", "--local", "only-data").document
    again, (warning,) = deployed["existing"], [each for each in deployed["findings"] if each["id"] == "W9652"]
    assert (warning["file"], again["buckets"][0]["is_versioned"]) == (bucket["name"], False)
    run_aws(*commands_in(warning["hint"]))
    assert s3.get_bucket_versioning(Bucket=bucket["name"])["Status"] == "Enabled"
    assert ([each["name"] for each in again["buckets"]], again["file_systems"]) == ([bucket["name"]], [file_system])
    wrong = command("destroy", "--local", "only-data", "--delete-data", "only-dat")
    assert wrong.status == 1
    assert "only-dat" in wrong.document["findings"][0]["message"]
    assert s3.get_object(Bucket=bucket["name"], Key="step")["Body"].read() == b"two"

    with group_in_the_way(target):
        failed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert failed.status == 1
    (finding,) = failed.document["findings"]
    assert "only-data-network" in finding["message"]
    assert "AWS::EC2::VPC" in finding["message"], "the resource that could not be deleted"

    gone = command("destroy", "--local", "only-data")
    assert (gone.status, gone.document["kept"]) == (0, [])
    assert stacks(target, "only-data") == set()
    assert bucket["name"] not in {row["Name"] for row in s3.list_buckets()["Buckets"]}
    assert client(target, "fsx").describe_file_systems()["FileSystems"] == []
    keys = [client(target, "kms").describe_key(KeyId=key["id"])["KeyMetadata"] for key in existing["keys"]]
    assert {key["KeyState"] for key in keys} == {"PendingDeletion"}
    assert s3.list_buckets()["Buckets"]  # CDK's own is not ours to delete


@contextlib.contextmanager
def group_in_the_way(target: LocalTarget) -> Iterator[None]:
    """A security group of somebody else in the VPC, which EC2 does not delete as long as it is there."""
    ec2 = client(target, "ec2")
    (vpc,) = [row["VpcId"] for row in ec2.describe_vpcs()["Vpcs"] if row["CidrBlock"] == "10.40.0.0/16"]
    group = ec2.create_security_group(GroupName="mine", Description="in the way", VpcId=vpc)["GroupId"]
    yield
    ec2.delete_security_group(GroupId=group)


def test_nothing_is_left_to_destroy_twice(command: Command) -> None:
    ran = command("destroy", "--local", "only-data")
    assert (ran.status, ran.document["deleted"]) == (0, [])
    assert "No stack of only-data exists" in ran.err


def test_a_failed_deploy_names_the_resource_and_the_services_reason(
    target: LocalTarget, project: Path, tmp_path: Path
) -> None:
    destination = local_destination(target.endpoint, ACCOUNT, REGION)
    bootstrap_if_needed(project, destination, lambda _: None)
    vpc = {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.60.0.0/16"}}
    outside = {"Type": "AWS::EC2::Subnet", "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.99.0.0/24"}}
    write_deployed_assembly(
        tmp_path, destination, "aws", {"only-data-network": {"Resources": {"Vpc": vpc, "S": outside}}}
    )
    plan = check_environment(project / "environments" / "only-data.yaml").require_plan()
    with pytest.raises(DeployError) as caught:
        Deployment(plan, project, tmp_path, destination).run(lambda _: None)
    first = caught.value.message.splitlines()[1]
    assert "only-data-network: S (AWS::EC2::Subnet):" in first
    assert "10.99.0.0/24" in first
    client(target, "cloudformation").delete_stack(StackName="only-data-network")


def marked(mark: str) -> list[str]:
    """Command lines of the processes that carry the mark in their environment."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text())
        except OSError:  # it has just ended
            continue
    return found


@pytest.mark.usefixtures("cdk_of_its_own")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
@pytest.mark.parametrize(
    ("number", "times", "status"),
    [
        (signal.SIGINT, 6, 130),
        pytest.param(signal.SIGTERM, 1, 143, marks=pytest.mark.exhaustive),
        (signal.SIGKILL, 1, -9),
    ],
)
def test_an_interrupted_deploy_leaves_no_process_behind(
    number: signal.Signals, times: int, status: int, project: Path, local_aws: LocalAws
) -> None:
    mark = f"NEURON_CLUSTER_TEST={uuid.uuid4()}"
    name, _, value = mark.partition("=")
    ran = subprocess.Popen(
        [sys.executable, "-m", "neuron_cluster.cli.main", "deploy", "--local", "only-data", "--project", str(project)],
        env={**os.environ, name: value, "CDK_VALIDATION": "false"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not any("aws-cdk/bin/cdk" in line and "deploy" in line for line in marked(mark)):
        with contextlib.suppress(subprocess.TimeoutExpired):
            ran.wait(timeout=0.05)
        assert ran.returncode is None, ran.communicate()
        assert time.monotonic() < deadline
    for _ in range(times):
        ran.send_signal(number)
    _, err = ran.communicate(timeout=60)  # standard error is open as long as a child of the command runs
    assert ran.returncode == status
    if number is not signal.SIGKILL:
        assert "only-data-network:" in err
        assert "run the same command again" in err.lower()
        assert marked(mark) == []
    assert "Traceback" not in err
    while marked(mark):  # the kernel kills what a killed command leaves
        assert time.monotonic() < deadline


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_taken_port_is_a_clear_error(taken_port: int, tmp_path: Path) -> None:
    (tmp_path / "environments").mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    shutil.copy(CHECKOUT / "environments" / "dev-inf2.yaml", tmp_path / "environments")
    arguments = ["local", "--port", str(taken_port), "--project", str(tmp_path)]
    ran = subprocess.run(
        [sys.executable, "-m", "neuron_cluster.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert f"port {taken_port} cannot be used" in ran.stderr
    assert "--port" in ran.stderr
    assert not (tmp_path / ".local").exists()

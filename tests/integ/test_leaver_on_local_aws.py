"""The home of a person who leaves is deleted alone: other homes, bucket, file system, keys and stacks stay."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.cli.main import main

pytestmark = pytest.mark.slow
REGION, OWN = "us-west-2", "210987654321"
MACHINE = "- {name: %s, instance_type: inf2.xlarge, dlami: multi_framework_ubuntu_24_04, %s}\n"
ENVIRONMENT = """
schema: 1
name: lab
account: "%s"
region: us-west-2
lifecycle: durable
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az1], nat: single}
"""
STORAGE = """
storage:
  checkpoint_bucket: {}
  efs: {access_points: [{name: home, path: /home, uid: 1000, gid: 1000}]}
  homes:
"""
HOME_NAME = "lab-storage home "
"""Beginning of the name of a volume."""
DELETE = ("lab", "--delete-data", "lab", "--home")

Command = Callable[..., Any]


def write(project: Path, homes: Sequence[str], mounted: Sequence[str], account: str = "111122223333") -> None:
    """Without homes the file has no storage. Alice has a workstation, with her home only where it is mounted."""
    text = ENVIRONMENT % account + (STORAGE if homes else "")
    text += "".join(f"    - {{name: {name}, availability_zone: usw2-az1, size_gib: 100}}\n" for name in homes)
    rows = (MACHINE % (name, f"home: {name}" if name in mounted else "availability_zone: usw2-az1")
            for name in dict.fromkeys(("alice", *mounted)))  # fmt: skip
    (project / "environments" / "lab.yaml").write_text(f"{text}workstations:\n" + "".join(f"  {row}" for row in rows))


def volumes(target: LocalTarget) -> dict[str, str]:
    """Id of the volume of each home that exists."""
    rows = client(target, "ec2").describe_volumes()["Volumes"]
    names = {row["VolumeId"]: tag["Value"] for row in rows for tag in row.get("Tags", ()) if tag["Key"] == "Name"}
    return {name.removeprefix(HOME_NAME): found for found, name in names.items() if name.startswith(HOME_NAME)}


def others(target: LocalTarget) -> Any:
    """Returns other resources with data, and the keys that encrypt it."""
    keys = [row["KeyId"] for row in client(target, "kms").list_keys()["Keys"]]
    return (
        sorted(row["Name"] for row in client(target, "s3").list_buckets()["Buckets"]),
        sorted(row["FileSystemId"] for row in client(target, "efs").describe_file_systems()["FileSystems"]),
        {key: client(target, "kms").describe_key(KeyId=key)["KeyMetadata"]["KeyState"] for key in keys},
        sorted(row["StackName"] for row in client(target, "cloudformation").describe_stacks()["Stacks"]),
    )


class Lab:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget) -> None:
        self.project, self.command, self.target = project, command, target

    def deploy(self, homes: Sequence[str], mounted: Sequence[str]) -> None:
        write(self.project, homes, mounted)
        ran = self.command("deploy", "--local", "lab")
        assert ran.status == 0, ran.document

    def error(self, *arguments: str) -> dict[str, Any]:
        """The only error of a command that changes nothing."""
        before = volumes(self.target), others(self.target)
        ran = self.command(*arguments)
        assert ran.status == 1
        assert (volumes(self.target), others(self.target)) == before
        (error,) = (dict(each) for each in ran.document["findings"] if each["severity"] == "error")
        return error

    def not_deleted(self, name: str, *arguments: str) -> dict[str, Any]:
        """The error of `destroy --home`."""
        return self.error("destroy", *(arguments or ("--local",)), *DELETE, name)


@pytest.fixture
def lab(project: Path, command: Command, target: LocalTarget) -> Lab:
    return Lab(project, command, target)


def is_stopped_while_mounted(lab: Lab) -> None:
    """The deletion is rejected for the file, and for the deployed workstation."""
    in_file = lab.not_deleted("alice")
    assert (in_file["id"], in_file["path"]) == ("E9591", "storage.homes[0]")
    assert "the workstation alice mounts it" in in_file["message"]
    assert in_file["hint"].startswith("take it out of the workstation alice and deploy, take alice out of storage.")

    write(lab.project, ["bob"], ["bob"])
    orphaned = lab.error("deploy", "--local", "lab")
    assert orphaned["id"] == "E9002"
    file = lab.project / "environments" / "lab.yaml"
    delete = f"neuron-cluster destroy --local {file} --delete-data lab --home alice"
    assert commands_in(orphaned["hint"]) == [delete]
    mounted = lab.not_deleted("alice")
    assert "the home alice is in use by the workstation alice; nothing was deleted" in mounted["message"]
    assert "put alice back into storage.homes, and deploy with no workstation that mounts it" in mounted["hint"]


def is_stopped_by_what_the_command_names(lab: Lab) -> None:
    assert "did you mean alice? deployed there: alice, bob" in lab.not_deleted("alcie")["hint"]
    unnamed = lab.error("destroy", "--local", "lab", "--home", "alice")
    assert "--delete-data is missing; nothing was changed" in unnamed["message"]
    deployed = lab.not_deleted("alice", "--local", "--deployed")
    assert "--home alice requires an environment file" in deployed["message"]
    write(lab.project, [], [])
    stopped = lab.not_deleted("alice")
    assert "lab-storage still holds " in stopped["message"]
    assert "the checkpoint bucket" in stopped["message"]
    assert "the home" not in stopped["message"].partition("still holds")[2]
    (whole,) = commands_in(stopped["hint"])
    assert whole.endswith("lab.yaml --delete-data lab")
    write(lab.project, ["bob"], ["bob"])


def is_stopped_while_attached(lab: Lab, run_aws: Callable[[str], None]) -> None:
    """A volume that a person attached to another instance is not deleted; the hint has what detaches it."""
    ec2, home = client(lab.target, "ec2"), volumes(lab.target)["alice"]
    rows = ec2.describe_instances(Filters=[{"Name": "instance-state-name", "Values": ["running"]}])["Reservations"]
    machine = rows[0]["Instances"][0]["InstanceId"]
    ec2.attach_volume(VolumeId=home, InstanceId=machine, Device="/dev/sdf")
    attached = lab.not_deleted("alice")
    assert f"in use by the instance {machine}" in attached["message"]
    (detach,) = commands_in(attached["hint"])
    run_aws(detach)


@pytest.mark.exhaustive
@pytest.mark.hints("E9590", "E9591")
def test_one_home_is_deleted_alone_once_no_file_and_no_workstation_has_it(
    lab: Lab, local_aws: LocalAws, run_aws: Callable[[str], None]
) -> None:
    lab.deploy(["alice", "bob"], ["alice", "bob"])
    is_stopped_while_mounted(lab)
    lab.deploy(["alice", "bob"], ["bob"])
    assert lab.not_deleted("alice")["hint"].startswith("take alice out of storage.homes, run the command again")
    write(lab.project, ["bob"], ["bob"])
    is_stopped_by_what_the_command_names(lab)
    is_stopped_while_attached(lab, run_aws)
    with local_aws.faults.access_denied("ec2", "DeleteVolume") as fault:
        assert "DeleteVolume" in lab.not_deleted("alice")["message"]
    assert fault.injected == 1

    before, kept = volumes(lab.target), others(lab.target)
    deleted = lab.command("destroy", "--local", *DELETE, "alice")
    assert (deleted.status, deleted.document["deleted_volume"]) == (0, before["alice"])
    assert f"volume {before['alice']} (100 GiB) of the home alice" in " ".join(deleted.err.split())
    assert (volumes(lab.target), others(lab.target)) == ({"bob": before["bob"]}, kept)
    again = lab.command("destroy", "--local", *DELETE, "alice")
    assert (again.status, again.document["deleted_volume"]) == (0, None)
    assert "There is nothing to delete" in again.err

    write(lab.project, ["alice", "bob"], ["bob"])
    for verb in ("deploy", "diff"):
        back = lab.error(verb, "--local", "lab")
        assert (back["id"], back["path"], "take alice out" in back["hint"]) == ("E9590", "storage.homes[0]", True)
    lab.deploy(["bob"], ["bob"])
    assert (volumes(lab.target), others(lab.target)) == ({"bob": before["bob"]}, kept)
    assert "deployed there: bob" in lab.not_deleted("alice")["hint"]
    lab.deploy(["alice", "bob"], ["alice", "bob"])
    new = volumes(lab.target)
    assert (new["bob"], new["alice"] != before["alice"]) == (before["bob"], True)


class Terminal(io.StringIO):
    """A person who types this, or Ctrl-C."""

    def isatty(self) -> bool:
        return True

    def readline(self, *arguments: Any) -> str:
        line = super().readline(*arguments)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.fixture
def account(project: Path, aws: LocalAws, log_in: Callable[[str], None]) -> Iterator[LocalTarget]:
    """An account that is no placeholder, whose AWS the local AWS plays."""
    from neuron_cluster.deploy.destination import local_destination
    from neuron_cluster.deploy.local_preparation import bootstrap_if_needed

    bootstrap_if_needed(project, local_destination(aws.endpoint, OWN, REGION), lambda _: None)
    log_in(OWN)
    found = LocalTarget(REGION, OWN, aws.endpoint)
    yield found
    close_clients(found)


@pytest.mark.exhaustive
def test_on_aws_it_is_deleted_when_it_is_confirmed_and_not_before(
    project: Path,
    command: Command,
    account: LocalTarget,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("neuron_cluster.deploy.cdk_cli.AWS_POLL_SECONDS", 0.5)
    write(project, ["alice", "bob"], [], OWN)
    built = command("deploy", "lab", "--yes")
    assert built.status == 0, built.document
    before = volumes(account)
    assert before.keys() == {"alice", "bob"}

    write(project, ["bob"], [], OWN)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert command("destroy", *DELETE, "alice").ids == ["E9525"]
    monkeypatch.setattr("sys.stdin", Terminal("alice\n"))
    assert command("destroy", *DELETE, "alice").ids == ["E9525"], "the name of a home is not that of the environment"
    monkeypatch.setattr("sys.stdin", Terminal())
    assert main(["destroy", *DELETE, "alice", "--project", str(project)]) == 130
    printed = capsys.readouterr()
    assert printed.err.endswith("Type yes or lab: interrupted\n")
    assert before["alice"] in printed.out
    assert volumes(account) == before
    monkeypatch.setattr("sys.stdin", Terminal("lab\n"))
    assert command("destroy", *DELETE, "alice").document["deleted_volume"] == before["alice"]
    assert volumes(account) == {"bob": before["bob"]}

"""Forged locks, and AMIs of strangers: `deploy` compares owners and releases before it changes anything.

The locks are forged as an attacker would: with a right checksum. The stranger's AMI is public, and named as Amazon's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.cli.open_environment import open_environment
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.pinned_checks import pinned_images
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.model import Lock, LockedAmiRelease, LockedImage
from neuron_cluster.lock.paths import local_locks, lock_path
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.opened_environment import OpenedEnvironment

pytestmark = pytest.mark.slow
OWN, STRANGER, REGION, KIND = "210987654321", "999999999999", "us-west-2", "multi_framework_ubuntu_24_04"
STANDARD = "AL2023_x86_64_STANDARD"
"""AMI type of the system nodes: E5010 rejects an old driver on Neuron nodes."""

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    """With environments of an account that is no placeholder: `ours` with a workstation, `nodes` with a cluster."""
    for shipped, name in (("workstation", "ours"), ("dev-inf2", "nodes")):
        text = (project / "environments" / f"{shipped}.yaml").read_text().replace("111122223333", OWN)
        (project / "environments" / f"{name}.yaml").write_text(text.replace(f"name: {shipped}", f"name: {name}", 1))
    return project


@pytest.fixture(scope="module")
def strangers_image(local_aws: LocalAws) -> Iterator[str]:
    """A public AMI of another account, under the name of a Deep Learning AMI."""
    target = LocalTarget(REGION, STRANGER, local_aws.endpoint)
    ec2 = client(target, "ec2")
    image: str = ec2.register_image(
        Name="Deep Learning AMI Neuron (Ubuntu 24.04) 20261120", RootDeviceName="/dev/sda1"
    )["ImageId"]
    ec2.modify_image_attribute(ImageId=image, LaunchPermission={"Add": [{"Group": "all"}]})
    yield image
    close_clients(target)


@pytest.fixture(autouse=True)
def _no_lock_is_left(project: Path) -> Iterator[None]:
    yield
    for name in ("ours", "nodes"):
        lock_path(local_locks(project), name).unlink(missing_ok=True)


@pytest.fixture
def edited(project: Path) -> Iterator[Callable[[str, str, str], None]]:
    """Replaces text in an environment file until the test ends."""
    before: dict[Path, str] = {}

    def edit(name: str, old: str, new: str) -> None:
        path = project / "environments" / f"{name}.yaml"
        text = path.read_text()
        before.setdefault(path, text)
        assert old in text
        path.write_text(text.replace(old, new, 1))

    yield edit
    for path, text in before.items():
        path.write_text(text)


def opened(project: Path, name: str) -> OpenedEnvironment:
    return open_environment(argparse.Namespace(environment=name, project=str(project), local=True))


def on_local(local_aws: LocalAws) -> Destination:
    return local_destination(local_aws.endpoint, OWN, REGION)


def forge(project: Path, name: str, change: Callable[[Lock], Lock]) -> None:
    path = lock_path(local_locks(project), name)
    lock = load_lock(path, display_name=path.name, again="").lock
    assert lock is not None
    write_lock(path, lock_text(change(lock), {}, "a forger"))


def ids(findings: list[Finding]) -> list[str]:
    return [finding.id for finding in findings]


@pytest.mark.hints("E9542")
def test_a_strangers_image_in_a_forged_lock_is_refused_before_the_first_change(
    command: Command, project: Path, local_aws: LocalAws, strangers_image: str
) -> None:
    assert command("lock", "ours", "--local").status == 0
    assert pinned_images(opened(project, "ours"), on_local(local_aws)) == []
    forge(project, "ours", lambda lock: structs.replace(lock, dlamis={KIND: LockedImage(strangers_image)}))
    assert command("validate", "ours").status == 0  # the checksum is right
    ran = command("deploy", "ours", "--local")
    assert (ran.status, ran.ids) == (1, ["E9542"])
    [finding] = ran.document["findings"]
    assert finding["file"].endswith(".local/locks/ours.yaml")
    assert finding["path"] == f"dlamis.{KIND}.image_id"
    assert STRANGER in finding["message"]
    cloudformation = client(LocalTarget(REGION, OWN, local_aws.endpoint), "cloudformation")
    assert cloudformation.describe_stacks()["Stacks"] == []
    assert "run `neuron-cluster lock --local " in finding["hint"]
    assert command("lock", "--local", "ours").status == 0
    assert pinned_images(opened(project, "ours"), on_local(local_aws)) == []


@pytest.mark.hints("E9542")
def test_ami_id_of_a_stranger_needs_ami_owner(
    command: Command, project: Path, local_aws: LocalAws, strangers_image: str, edited: Callable[[str, str, str], None]
) -> None:
    edited("ours", "# ami_id: ami-0123456789abcdef0", f"ami_id: {strangers_image}")
    ran = command("deploy", "ours", "--local")
    assert ran.ids == ["E9542"]
    [finding] = ran.document["findings"]
    assert (finding["path"], bool(finding["line"])) == ("workstations[0].ami_id", True)
    owner = f'ami_owner: "{STRANGER}"'
    assert owner in finding["hint"]
    edited("ours", f"ami_id: {strangers_image}", f"ami_id: {strangers_image}\n    {owner}")
    assert pinned_images(opened(project, "ours"), on_local(local_aws)) == []
    edited("ours", owner, "")
    edited("ours", f"    ami_id: {strangers_image}\n", "")
    assert pinned_images(opened(project, "ours"), on_local(local_aws)) == []


def test_an_image_of_the_own_account_is_fine_in_the_file_and_not_in_a_lock(
    command: Command, project: Path, local_aws: LocalAws, edited: Callable[[str, str, str], None]
) -> None:
    ec2 = client(LocalTarget(REGION, OWN, local_aws.endpoint), "ec2")
    image = ec2.register_image(Name="golden", RootDeviceName="/dev/sda1")["ImageId"]
    assert command("lock", "ours", "--local").status == 0
    forge(project, "ours", lambda lock: structs.replace(lock, dlamis={KIND: LockedImage(image)}))
    assert ids(pinned_images(opened(project, "ours"), on_local(local_aws))) == ["E9542"]
    assert command("lock", "ours", "--local").status == 0
    edited("ours", "# ami_id: ami-0123456789abcdef0", f"ami_id: {image}")
    assert pinned_images(opened(project, "ours"), on_local(local_aws)) == []


@pytest.mark.hints("E9543", "W9545")
def test_an_image_that_nobody_has_is_refused_on_aws_and_named_on_the_local_aws(
    command: Command,
    project: Path,
    local_aws: LocalAws,
    log_in: Callable[[str], None],
    edited: Callable[[str, str, str], None],
) -> None:
    assert command("lock", "ours", "--local").status == 0
    forge(project, "ours", lambda lock: structs.replace(lock, dlamis={KIND: LockedImage("ami-0badbadbadbadbad0")}))
    environment = opened(project, "ours")
    [in_doubt] = pinned_images(environment, on_local(local_aws))
    log_in(OWN)
    [unknown] = pinned_images(environment, aws_destination(OWN, REGION))
    assert ids([in_doubt, unknown]) == ["W9545", "E9543"]
    assert in_doubt.hint == unknown.hint
    (line,) = commands_in(unknown.hint)
    assert command(*line.split()[1:]).status == 0
    assert pinned_images(opened(project, "ours"), aws_destination(OWN, REGION)) == []
    edited("ours", "# ami_id: ami-0123456789abcdef0", "ami_id: ami-0badbadbadbadbad0")
    [of_file] = pinned_images(opened(project, "ours"), aws_destination(OWN, REGION))
    assert (of_file.id, of_file.hint) == ("E9543", "correct or remove ami_id")
    edited("ours", "    ami_id: ami-0badbadbadbadbad0\n", "")
    assert pinned_images(opened(project, "ours"), aws_destination(OWN, REGION)) == []


FORGED_RELEASES = {
    "an old release with its own image id": ("1.35.2-20260403", "W9546", "E9544"),
    "a release of no day that EKS published on": ("1.35.6-20260702", "E9543", None),
}


@pytest.mark.hints("E9543", "E9544", "W9546")
@pytest.mark.parametrize(("release", "expected", "also"), FORGED_RELEASES.values(), ids=FORGED_RELEASES)
def test_forged_releases_are_looked_up(
    release: str,
    expected: str,
    also: str | None,
    command: Command,
    project: Path,
    local_aws: LocalAws,
    log_in: Callable[[str], None],
    edited: Callable[[str, str, str], None],
) -> None:
    assert command("lock", "nodes", "--local").status == 0
    log_in(OWN)
    aws = aws_destination(OWN, REGION)
    assert pinned_images(opened(project, "nodes"), aws) == []

    def older(lock: Lock) -> Lock:
        retained = lock.ami_releases[STANDARD]
        return structs.replace(
            lock, ami_releases={**lock.ami_releases, STANDARD: LockedAmiRelease(release, retained.image_id)}
        )

    forge(project, "nodes", older)
    found = pinned_images(opened(project, "nodes"), aws)
    assert set(ids(found)) == {expected, also} - {None}
    (line,) = {line for finding in found for line in commands_in(finding.hint)}
    assert command(*line.split()[1:]).status == 0
    assert pinned_images(opened(project, "nodes"), aws) == []
    edited("nodes", "    - name: system\n", f"    - name: system\n      ami_release: {release}\n")
    [of_file] = pinned_images(opened(project, "nodes"), aws)
    assert (of_file.id, of_file.hint.partition(";")[0]) == (expected, "correct or remove ami_release")
    edited("nodes", f"      ami_release: {release}\n", "")
    assert pinned_images(opened(project, "nodes"), aws) == []


@pytest.mark.hints("W9545")
def test_a_missing_permission_is_a_warning_never_a_pass(
    command: Command, project: Path, aws: LocalAws, local_aws: LocalAws, log_in: Callable[[str], None]
) -> None:
    assert command("lock", "ours", "--local").status == 0
    assert command("lock", "nodes", "--local").status == 0
    log_in(OWN)
    for name, (service, operation) in {
        "ours": ("ec2", "DescribeImages"),
        "nodes": ("ssm", "GetParameter"),
    }.items():
        environment = opened(project, name)
        with aws.faults.access_denied(service, operation):
            [finding] = pinned_images(environment, aws_destination(OWN, REGION))
        assert (finding.id, operation in finding.message) == ("W9545", True)
        assert f"{service}:{operation}" in finding.hint
        assert finding.hint.endswith("to the role that deploys, and run the command again")
        assert pinned_images(environment, aws_destination(OWN, REGION)) == [], "with the permission"

"""`image build` on the local AWS: the pipeline, its AMI in the lock, and the nodes that start from it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error, commands_in
from msgspec.structs import replace

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.lock.model import Lock, LockedImage
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.providers.pcs.lock_part import built_image

pytestmark = pytest.mark.slow

TEXT = """
schema: 1
name: batch
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
slurm:
  version: "25.05"
  dlami: base_ubuntu_24_04
  login: {instance_type: m7i.xlarge, count: {min: 1, max: 1}, root_volume: {size_gib: 100}}
  groups:
    - name: trn1
      instance_type: trn1.2xlarge
      availability_zone: usw2-az4
      count: {max: 4}
      root_volume: {size_gib: 512}
  queues:
    - {name: training, groups: [trn1]}
"""
NAMES = ["batch-network", "batch-image"]
ACCOUNT = "111122223333"

Command = Callable[..., Any]


class Image:
    """The environment, its lock and its AMIs on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget) -> None:
        self._file = project / "environments" / "batch.yaml"
        self._lock = project / ".local" / "locks" / "batch.yaml"
        self._command, self.target = command, target

    def write(self, *edits: tuple[str, str]) -> None:
        text = TEXT
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        self._file.write_text(text, encoding="utf-8")

    def run(self, *arguments: str, status: int = 0) -> Any:
        ran = self._command(*arguments, "--local", "batch")
        assert ran.status == status, ran.document
        return ran

    def error(self, *arguments: str) -> dict[str, Any]:
        """The one error of a command that fails."""
        found = [each for each in self.run(*arguments, status=1).document["findings"] if each["severity"] == "error"]
        (error,) = found
        return dict(error)

    def lock(self) -> Lock:
        found = load_lock(self._lock, display_name="lock", again="lock").lock
        assert found is not None
        return found

    def write_lock(self, lock: Lock) -> None:
        write_lock(self._lock, lock_text(lock, {}, "a test"))

    def lock_bytes(self) -> bytes:
        return self._lock.read_bytes()

    def forget(self) -> None:
        """The lock without the AMI, as before its build."""
        self.write_lock(replace(self.lock(), parts={}))

    def amis(self) -> set[str]:
        rows = client(self.target, "ec2").describe_images(Owners=["self"])["Images"]
        return {row["ImageId"] for row in rows if row["Name"].startswith("batch-slurm ")}

    def amis_of_groups(self) -> set[str]:
        pcs = client(self.target, "pcs")
        of_cluster = {"clusterIdentifier": pcs.list_clusters()["clusters"][0]["id"]}
        rows = pcs.list_compute_node_groups(**of_cluster)["computeNodeGroups"]
        return {
            pcs.get_compute_node_group(**of_cluster, computeNodeGroupIdentifier=row["id"])["computeNodeGroup"]["amiId"]
            for row in rows
        }

    def stacks(self) -> set[str]:
        rows = client(self.target, "cloudformation").describe_stacks()["Stacks"]
        return {row["StackName"] for row in rows if row["StackName"].startswith("batch-")}

    def remove(self) -> None:
        """All of it, with the AMIs and the lock."""
        self._lock.unlink(missing_ok=True)
        if self.stacks():
            self.run("destroy")
        for ami in self.amis():
            client(self.target, "ec2").deregister_image(ImageId=ami)


@contextlib.contextmanager
def following(project: Path) -> Iterator[subprocess.Popen[str]]:
    """`image build` as a process that follows a build which runs."""
    arguments = ["image", "build", "--local", "batch", "--project", str(project)]
    command = [sys.executable, "-m", "neuron_cluster.cli.main", *arguments]
    environ = {**os.environ, "CDK_VALIDATION": "false"}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ran:
        try:
            assert ran.stdout is not None
            assert any(": BUILDING, " in line for line in ran.stdout)
            yield ran
        finally:
            ran.kill()


@pytest.fixture
def image(project: Path, command: Command, target: LocalTarget) -> Iterator[Image]:
    made = Image(project, command, target)
    made.write()
    yield made
    made.write()
    made.remove()


@pytest.mark.hints("E9563")
def test_a_life(image: Image, command: Command) -> None:
    error = image.error("deploy")
    assert error["id"] == "E9563"
    lock, build = (shlex.split(each)[1:] for each in commands_in(error["hint"]))
    assert command(*lock, "--local").status == 0
    ran = command(*build, "--local")
    assert ran.status == 0, ran.document
    built = ran.document
    ami = built["image"]["image_id"]
    locked = built_image(image.lock())
    assert locked is not None
    assert (locked.image_id, locked.slurm_version) == (ami, "25.05")
    assert locked.parent == image.lock().dlamis["base_ubuntu_24_04"].image_id
    assert (built["image"]["is_new"], built["is_written"]) == (True, True)
    assert [each["name"] for each in built["stacks"]] == NAMES
    assert image.stacks() == set(NAMES)

    image.run("deploy")
    assert image.amis_of_groups() == {ami}
    assert {"batch-image", "batch-compute"} <= image.stacks()
    image.run("deploy")
    assert "batch-image" in image.stacks(), "a deploy does not delete what another command deploys"

    again = image.run("image", "build").document
    assert (again["image"]["image_id"], again["image"]["is_new"], again["is_written"]) == (ami, False, False)
    assert not any(each["changed"] for each in again["stacks"])
    assert image.run("lock", "--check").document["changes"] == []
    image.run("lock")
    assert built_image(image.lock()) == locked, "lock keeps the image"

    image.write(("25.05", "25.11"))
    assert image.error("deploy")["id"] == "E2141"
    newer = image.run("image", "build").document["image"]["image_id"]
    assert newer != ami
    image.run("deploy")
    assert image.amis_of_groups() == {newer}

    left = image.run("destroy").document["left_over"]
    assert {each["what"].split()[1] for each in left if each["what"].startswith("AMI")} == {ami, newer}
    assert len({each["command"] for each in left if "imagebuilder delete-image" in each["command"]}) == 2
    assert image.stacks() == set()
    assert image.amis() == {ami, newer}
    for each in left:
        assert command_error(each["command"]) == ""


@pytest.mark.exhaustive
def test_the_image_that_is_built_again_is_another_one(image: Image) -> None:
    image.run("lock")
    first = image.run("image", "build").document
    second = image.run("image", "build", "--again").document
    assert first["image"]["recipe_version"] == second["image"]["recipe_version"]
    assert first["image"]["image_id"] != second["image"]["image_id"]
    size_of_root = ["amis", second["image"]["image_id"], "root_volume_gib"]
    assert [change["path"] for change in second["changes"]] == [size_of_root, ["slurm_image", "image_id"]]


@pytest.mark.exhaustive
def test_an_image_that_was_deregistered_is_reported_at_the_lock_and_built_anew(image: Image) -> None:
    image.run("lock")
    ami = image.run("image", "build").document["image"]["image_id"]
    client(image.target, "ec2").deregister_image(ImageId=ami)
    ran = image.run("deploy")
    assert f"the local AWS does not have {ami} of the Slurm nodes" in ran.err
    assert "slurm_image.image_id" in ran.err
    again = image.run("image", "build").document["image"]
    assert (again["is_new"], again["image_id"] != ami) == (True, True)


@pytest.mark.exhaustive
def test_what_the_network_has_does_not_change(image: Image, project: Path) -> None:
    """The part of the environment that the command deploys is that of the whole: a deploy changes nothing of it."""
    image.run("lock")
    image.run("image", "build")
    ran = image.run("deploy")
    changed = {each["name"] for each in ran.document["stacks"] if each["changed"]}
    assert changed == {"batch-slurm", "batch-compute"}


@pytest.mark.exhaustive
@pytest.mark.hints("E9561")
@pytest.mark.parametrize(
    ("edit", "message", "mended"),
    [
        (
            ('version: "25.05"', 'version: "25.05"\n  ami_id: ami-0123456789abcdef0'),
            "the nodes start from ami_id: ami-0123456789abcdef0, not from an AMI that is built",
            ("\n  ami_id: ami-0123456789abcdef0", ""),
        ),
        (
            ("nat: single", "nat: none"),
            "nat is none, so that a build downloads no software",
            ("nat: none", "nat: single"),
        ),
    ],
)
def test_what_a_build_lacks_is_named(
    edit: tuple[str, str], message: str, mended: tuple[str, str], image: Image
) -> None:
    image.run("lock")
    image.write(edit)
    error = image.error("image", "build")
    assert error["id"] == "E9561"
    assert message in error["message"]
    assert image.stacks() == set()
    image.write(edit, mended)
    image.run("image", "build")


@pytest.mark.exhaustive
@pytest.mark.hints("E9542")
def test_nothing_is_built_from_an_ami_of_a_stranger(image: Image, command: Command) -> None:
    """Who edits a lock can compute its checksum, and the AMI that is built from it would be the account's own."""
    image.run("lock")
    ec2 = client(image.target, "ec2")
    source = image.lock().dlamis["base_ubuntu_24_04"].image_id
    forged = ec2.copy_image(Name="batch-slurm forged", SourceImageId=source, SourceRegion="us-west-2")["ImageId"]
    image.write_lock(replace(image.lock(), dlamis={"base_ubuntu_24_04": LockedImage(forged)}))
    error = image.error("image", "build")
    assert (error["id"], error["path"]) == ("E9542", "dlamis.base_ubuntu_24_04.image_id")
    assert (
        f"the parent image {forged} (base_ubuntu_24_04) belongs to account 111122223333, not to Amazon"
        in error["message"]
    )
    assert image.stacks() == set()
    (lock,) = commands_in(error["hint"])
    assert command(*shlex.split(lock)[1:]).status == 0
    image.run("image", "build")


@pytest.mark.exhaustive
def test_a_deep_learning_ami_that_is_gone_is_reported_at_the_lock(image: Image) -> None:
    image.run("lock")
    image.write_lock(replace(image.lock(), dlamis={"base_ubuntu_24_04": LockedImage("ami-0123456789abcdef9")}))
    ran = image.run("image", "build", status=1)
    assert "the local AWS does not have the parent image ami-0123456789abcdef9" in ran.err


@pytest.fixture
def building(image: Image, aws: LocalAws) -> Iterator[dict[str, Any]]:
    """A build that goes on until its state is another one; the local AWS ends each at once."""
    image.run("lock")
    arn = image.run("image", "build").document["image"]["build"]
    row: dict[str, Any] = aws.store.table(ACCOUNT, "us-west-2", "imagebuilder.Image")[arn]
    image.forget()
    row["state"] = {"status": "BUILDING"}
    yield row
    row["state"] = {"status": "AVAILABLE"}


@pytest.mark.exhaustive
def test_ctrl_c_ends_the_command_and_not_the_build(building: dict[str, Any], image: Image, project: Path) -> None:
    before = image.lock_bytes()
    with following(project) as ran:
        ran.send_signal(signal.SIGINT)
        _, err = ran.communicate(timeout=60)
    assert ran.returncode == 130
    lines = err.splitlines()[-3:]
    assert lines[0].startswith("The build continues on the local AWS")
    assert lines[0].endswith("run the same command again to follow it.")
    assert command_error(lines[1].removeprefix("To cancel it: ")) == ""
    assert building["arn"] in lines[1]
    assert lines[2] == "interrupted"
    assert image.lock_bytes() == before
    building["state"] = {"status": "AVAILABLE"}
    again = image.run("image", "build").document["image"]
    assert (again["build"], again["is_new"]) == (building["arn"], False)


@pytest.mark.exhaustive
def test_a_build_whose_state_is_not_known_continues(building: dict[str, Any], project: Path, aws: LocalAws) -> None:
    """Credentials may expire in half an hour."""
    with following(project) as ran, aws.faults.access_denied("imagebuilder", "GetImage"):
        _, err = ran.communicate(timeout=60)
    assert ran.returncode == 1
    assert "The build continues on the local AWS" in err
    assert f"--image-build-version-arn {building['arn']}" in err


@pytest.mark.exhaustive
@pytest.mark.hints("E9567")
def test_a_pipeline_is_not_deleted_while_it_builds(building: dict[str, Any], image: Image) -> None:
    """The build instance would hold the security group, and its AMI would be in no list."""
    stacks = image.stacks()
    error = image.error("destroy")
    assert error["id"] == "E9567"
    assert building["arn"] in error["message"]
    (cancel,) = commands_in(error["hint"])
    assert command_error(cancel) == ""
    assert image.stacks() == stacks
    building["state"] = {"status": "CANCELLED"}
    image.run("destroy")


@pytest.mark.hints("E9561")
def test_a_build_without_a_lock_or_an_installer_says_what_to_write(image: Image, command: Command) -> None:
    error = image.error("image", "build")
    assert "no lock pins the Deep Learning AMI base_ubuntu_24_04" in error["message"]
    (lock,) = commands_in(error["hint"])
    assert command(*shlex.split(lock)[1:]).status == 0
    image.write(("25.05", "26.05"))
    lacking = image.error("image", "build")
    assert (lacking["id"], image.stacks()) == ("E9561", set())
    assert "the catalog has no installer of Slurm 26.05" in lacking["message"]
    image.write(("25.05", "25.11"))
    image.run("image", "build")


@pytest.mark.hints("E9561")
def test_an_environment_without_slurm_has_no_image_to_build(image: Image) -> None:
    image.write((TEXT[TEXT.index("slurm:") :], ""))
    error = image.error("image", "build")
    assert (error["id"], "has no section slurm" in error["message"]) == ("E9561", True)
    assert command_error("neuron-cluster lock batch") == ""

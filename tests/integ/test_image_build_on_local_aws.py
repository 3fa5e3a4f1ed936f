"""`image build` on the local AWS: the pipeline, its AMI in the lock, and the nodes that start from it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.reader import load_lock

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


@pytest.fixture
def image(project: Path, command: Command, target: LocalTarget) -> Iterator[Image]:
    made = Image(project, command, target)
    made.write()
    yield made
    made.write()
    made.remove()


def test_a_life(image: Image) -> None:
    image.run("lock")
    built = image.run("image", "build").document
    ami = built["image"]["image_id"]
    locked = image.lock().slurm_image
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
    assert image.lock().slurm_image == locked, "lock keeps the image"

    image.write(("25.05", "25.11"))
    assert image.error("deploy")["id"] == "E2141"
    newer = image.run("image", "build").document["image"]["image_id"]
    assert newer != ami
    image.run("deploy")
    assert image.amis_of_groups() == {newer}

    left = image.run("destroy").document["left_over"]
    assert {each["what"].split()[1] for each in left} == {ami, newer}
    assert image.stacks() == set()
    assert image.amis() == {ami, newer}
    for each in left:
        assert command_error(each["command"]) == ""


def test_the_image_that_is_built_again_is_another_one(image: Image) -> None:
    image.run("lock")
    first = image.run("image", "build").document
    second = image.run("image", "build", "--again").document
    assert first["image"]["recipe_version"] == second["image"]["recipe_version"]
    assert first["image"]["image_id"] != second["image"]["image_id"]
    assert [each["path"] for each in second["changes"]] == [["slurm_image", "image_id"]]


def test_an_image_that_was_deregistered_is_reported_at_the_lock_and_built_anew(image: Image) -> None:
    image.run("lock")
    ami = image.run("image", "build").document["image"]["image_id"]
    client(image.target, "ec2").deregister_image(ImageId=ami)
    ran = image.run("deploy")
    assert f"the local AWS does not have {ami} of the Slurm nodes" in ran.err
    assert "slurm_image.image_id" in ran.err
    again = image.run("image", "build").document["image"]
    assert (again["is_new"], again["image_id"] != ami) == (True, True)


def test_what_the_network_has_does_not_change(image: Image, project: Path) -> None:
    """The part of the environment that the command deploys is that of the whole: a deploy changes nothing of it."""
    image.run("lock")
    image.run("image", "build")
    ran = image.run("deploy")
    changed = {each["name"] for each in ran.document["stacks"] if each["changed"]}
    assert changed == {"batch-slurm", "batch-compute"}


@pytest.mark.hints("E9563")
def test_a_deploy_without_an_image_states_what_is_missing_and_its_commands_bring_it(
    image: Image, command: Command
) -> None:
    error = image.error("deploy")
    assert error["id"] == "E9563"
    for each in commands_in(error["hint"]):
        program, *words = shlex.split(each)
        assert program == "neuron-cluster"
        assert command(*words, "--local").status == 0, each
    image.run("deploy")


@pytest.mark.hints("E9561")
@pytest.mark.parametrize(
    ("edit", "message", "mended"),
    [
        (("25.05", "26.05"), "the catalog has no installer of Slurm 26.05", ("26.05", "25.11")),
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


@pytest.mark.hints("E9561")
def test_a_build_without_a_lock_names_the_command_that_writes_it(image: Image, command: Command) -> None:
    error = image.error("image", "build")
    assert "no lock pins the Deep Learning AMI base_ubuntu_24_04" in error["message"]
    (lock,) = commands_in(error["hint"])
    assert command(*shlex.split(lock)[1:]).status == 0
    image.run("image", "build")


@pytest.mark.hints("E9561")
def test_an_environment_without_slurm_has_no_image_to_build(image: Image) -> None:
    image.write((TEXT[TEXT.index("slurm:") :], ""))
    error = image.error("image", "build")
    assert (error["id"], "has no section slurm" in error["message"]) == ("E9561", True)
    assert command_error("neuron-cluster lock batch") == ""

"""The AMI of Slurm nodes as `images` lists it: of the file, of the lock, or still to be built."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.plan.node_image import NodeImage
from neuron_cluster.providers.pcs.lock_part import LockedSlurmImage, with_built_image
from neuron_cluster.report.node_images_page import node_image_tables
from tests.slurm_image import NAME, PARENT, ROOT, checked_without_image

BUILT = LockedSlurmImage("ami-0123abc0123abc012", PARENT, "base_ubuntu_24_04", "25.11", "1.5.1-1", "1.0.1")


def _image(checked: Checked) -> NodeImage:
    plan = checked.require_plan()
    (found,) = (image for each in plan.providers for image in each.node_images(checked.lock))
    return found


def _with_lock(folder: Path) -> Checked:
    checked = checked_without_image(folder)
    lock = with_built_image(checked.lock or Lock(NAME, "", "", None), BUILT)
    file = folder / f"{NAME}.yaml"
    write_lock(lock_path(locks_beside(file), NAME), lock_text(lock, {}, "a test"))
    return check_environment(file)


def test_the_ami_of_the_lock_has_what_it_was_built_from(tmp_path: Path) -> None:
    checked = _with_lock(tmp_path)
    image = _image(checked)
    assert (image.image_id, image.is_locked, image.parent_kind, image.parent) == (
        BUILT.image_id, True, "base_ubuntu_24_04", PARENT
    )  # fmt: skip
    (table,) = node_image_tables([image], checked.require_plan())
    software = "Slurm 25.11, PCS agent 1.5.1-1"
    assert table.rows == ((BUILT.image_id, "the lock", f"base_ubuntu_24_04, {PARENT}", software, "login, trn1"),)
    assert table.note == ""


def test_of_the_ami_of_the_file_only_the_kind_is_known() -> None:
    checked = check_environment(ROOT / "environments" / f"{NAME}.yaml")
    image = _image(checked)
    assert (image.is_locked, image.parent, image.software) == (False, None, {"Slurm": "25.11"})
    (table,) = node_image_tables([image], checked.require_plan())
    assert table.rows[0][:3] == ("ami-0123456789abcdef0", "slurm.ami_id", "base_ubuntu_24_04")
    assert "what it must have" in table.note


def test_an_ami_that_is_not_built_yet_is_listed_with_its_parent(tmp_path: Path) -> None:
    checked = checked_without_image(tmp_path)
    assert (_image(checked).image_id, _image(checked).parent) == (None, PARENT)
    (table,) = node_image_tables([_image(checked)], checked.require_plan())
    assert table.rows[0][:2] == ("not built yet", "-")


def test_an_environment_without_slurm_lists_none() -> None:
    plan = check_environment(ROOT / "environments" / "train-trn1.yaml").require_plan()
    assert [each for each in plan.providers if each.node_images(None)] == []
    assert node_image_tables([], plan) == []

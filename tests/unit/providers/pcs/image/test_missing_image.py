"""A file without an AMI is planned with a warning; its plan names what is missing before a template is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.lock.paths import commands_of, lock_path, locks_beside
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.missing_image import require_images
from neuron_cluster.providers.pcs.image.recipe import slurm_recipe
from neuron_cluster.providers.pcs.lock_part import LockedSlurmImage, with_built_image
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from tests.slurm_image import NAME, PARENT, ROOT, STACK_KEY, checked_without_image


def slurm_of(plan: ClusterPlan) -> SlurmPlan:
    found = plan.provider(SlurmPlan)
    assert found is not None
    return found


def ids(checked: Checked) -> set[str]:
    return {finding.id for finding in checked.findings}


def test_the_plan_is_there_and_a_warning_says_what_is_missing(tmp_path: Path) -> None:
    checked = checked_without_image(tmp_path)
    assert "W2140" in ids(checked)
    slurm = slurm_of(checked.require_plan())
    assert slurm.login.image.pinned is None
    assert slurm.image is not None
    assert slurm.image.parent == PARENT


def test_the_command_that_builds_the_image_does_not_miss_it(tmp_path: Path) -> None:
    assert "W2140" not in ids(checked_without_image(tmp_path, stack_key=STACK_KEY))


@pytest.mark.hints("E9563")
def test_no_template_is_written_without_an_image(tmp_path: Path) -> None:
    with pytest.raises(InvalidEnvironment) as caught:
        require_images(checked_without_image(tmp_path).require_plan(), "a.yaml", commands_of("slurm-trn1.yaml"))
    (finding,) = caught.value.findings
    assert (finding.id, finding.location.file, finding.location.path) == ("E9563", "a.yaml", "slurm.ami_id")
    assert "run `neuron-cluster image build slurm-trn1.yaml`" in finding.hint
    assert "neuron-cluster lock" not in finding.hint, "the lock pins the parent already"
    require_images(
        check_environment(ROOT / "environments" / "slurm-trn1.yaml").require_plan(),
        "a.yaml",
        commands_of("slurm-trn1.yaml"),
    )


def test_an_image_without_containers_states_why(tmp_path: Path) -> None:
    other = ("dlami: base_ubuntu_24_04", "dlami: base_amazon_linux_2023")
    image = slurm_of(checked_without_image(tmp_path, other).require_plan()).image
    assert image is not None
    assert (image.has_containers, image.has_lustre, image.parent) == (False, True, None)
    assert image.missing == ("containers in jobs: the catalog has no enroot on Amazon Linux 2023, for Slurm 25.11",)
    assert (image.efs_package, image.needs_efs) == ("amazon-efs-utils", False)


def test_an_image_without_the_efs_mount_helper_states_why(tmp_path: Path) -> None:
    efs = ("storage:\n", "storage:\n  efs: {access_points: [{name: home, path: /home}]}\n")
    image = slurm_of(checked_without_image(tmp_path, efs).require_plan()).image
    assert image is not None
    assert image.missing == ("the EFS mount helper: Ubuntu 24.04 has no package of it",)
    assert (image.efs_package, image.needs_efs, image.needs_lustre) == (None, True, True)


@pytest.mark.parametrize(("numbers", "is_outdated"), [((1, 0), False), ((0, 1), True)])
def test_an_image_with_other_scripts_alone_is_not_outdated(
    numbers: tuple[int, int], tmp_path: Path, *, is_outdated: bool
) -> None:
    """The start of a node writes the scripts of the toolkit."""
    checked = checked_without_image(tmp_path)
    image = slurm_of(checked.require_plan()).image
    assert image is not None
    major, software, scripts = map(int, slurm_recipe(image, load_catalog()).version.split("."))
    version = f"{major}.{software + numbers[1]}.{scripts + numbers[0]}"
    built = LockedSlurmImage("ami-0123456789abcdef3", PARENT, image.dlami, image.slurm_version, "1.5.1-1", version)
    path = lock_path(locks_beside(tmp_path / f"{NAME}.yaml"), NAME)
    lock = load_lock(path, display_name="lock", again="a test").lock
    assert lock is not None
    write_lock(path, lock_text(with_built_image(lock, built), {}, "a test"))
    assert ("W2142" in ids(check_environment(tmp_path / f"{NAME}.yaml"))) is is_outdated


def test_it_is_built_where_the_type_of_the_login_group_is_sold(tmp_path: Path) -> None:
    login = ("availability_zone: usw2-az4\n    root_volume: {size_gib: 100}", "availability_zone: usw2-az1")
    image = slurm_of(checked_without_image(tmp_path, login).require_plan()).image
    assert image is not None
    assert (image.zone_id, image.instance_type) == ("usw2-az1", "m7i.xlarge")


def test_a_version_without_installer_has_no_image_plan(tmp_path: Path) -> None:
    checked = checked_without_image(tmp_path, ('version: "25.11"', 'version: "26.05"'))
    assert slurm_of(checked.require_plan()).image is None

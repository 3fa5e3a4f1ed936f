"""Steps that `upgrade` leaves to the user of a Slurm cluster: the AMI, and the Slurm version."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.source_map import format_path
from neuron_cluster.findings.commands import Command
from neuron_cluster.lock.model import Lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import registered
from neuron_cluster.protocol.upgrade_step import UpgradeStep
from neuron_cluster.providers.pcs.lock_part import LockedSlurmImage, with_built_image

ROOT = Path(__file__).parents[4]
BUILT = LockedSlurmImage(
    "ami-0123abc0123abc012", "ami-0aaaaaaaaaaaaaaaa", "base_ubuntu_24_04", "25.11", "1.5.1-1", "1.0.1"
)


def _steps(folder: Path, to: str, *, ami_id: str | None = None, **keys: str) -> dict[str, UpgradeStep]:
    """Returns the steps by key, for slurm-trn1 with SDK 2.31.1 and the AMI of the lock, unless ``ami_id`` is given."""
    tree = yaml.safe_load((ROOT / "environments" / "slurm-trn1.yaml").read_text())
    tree["neuron"]["sdk"] = "2.31.1"
    del tree["slurm"]["ami_id"]
    tree["slurm"] |= keys | ({"ami_id": ami_id} if ami_id is not None else {})
    file = folder / "slurm-trn1.yaml"
    file.write_text(yaml.safe_dump(tree))
    lock = with_built_image(Lock("slurm-trn1", "111122223333", "us-west-2", None), BUILT)
    catalog = load_catalog()
    after = catalog.neuron_sdks.get(to)
    assert after is not None
    environment = check_environment(file).require_resolved()
    found = (step for each in registered() for step in each.upgrade_steps(environment, after, catalog, lock))
    return {format_path(step.path): step for step in found}


def test_the_ami_of_the_lock_is_built_again_from_the_newest_image(tmp_path: Path) -> None:
    step = _steps(tmp_path, "2.32.0")["slurm.dlami"]
    assert "ami-0123abc0123abc012 of the lock was built from ami-0aaaaaaaaaaaaaaaa" in step.what
    assert "the newest base_ubuntu_24_04 has Neuron SDK 2.32.0" in step.what
    assert step.then.index(Command.LOCK) < step.then.index(Command.IMAGE_BUILD) < step.then.index("deploy")
    assert "each node when its jobs end, login nodes at once" in step.then
    assert step.before_deploy == (Command.IMAGE_BUILD,)


def test_an_ami_of_the_file_is_built_by_its_owner(tmp_path: Path) -> None:
    steps = _steps(tmp_path, "2.32.0", ami_id="ami-0fedcba9876543210")
    assert "slurm.dlami" not in steps
    assert steps["slurm.ami_id"].then.startswith("build your AMI from the newest base_ubuntu_24_04")
    assert Command.IMAGE_BUILD not in steps["slurm.ami_id"].then
    assert steps["slurm.ami_id"].before_deploy == ()


def test_a_release_without_an_image_leaves_the_ami_as_it_is(tmp_path: Path) -> None:
    step = _steps(tmp_path, "2.33.0")["slurm.dlami"]
    assert "in the catalog has Neuron SDK 2.32.0, not 2.33.0" in step.what
    assert "until then the AMI is kept" in step.then
    assert step.before_deploy == ()


def test_a_retired_kind_names_its_successor(tmp_path: Path) -> None:
    step = _steps(tmp_path, "2.32.0", dlami="base_ubuntu_22_04")["slurm.dlami"]
    assert "base_ubuntu_22_04 is retired with Neuron SDK 2.29.1" in step.what
    assert step.then.startswith("write dlami: base_ubuntu_24_04, then run")


def test_the_same_release_is_about_the_slurm_version_alone(tmp_path: Path) -> None:
    assert set(_steps(tmp_path, "2.31.1")) == {"slurm.version"}


@pytest.mark.parametrize(
    ("version", "ami_id", "then"),
    [
        ("25.05", None, f"run `{Command.IMAGE_BUILD}` before the deploy; it cannot install 26.05"),
        ("25.11", None, "`image build` cannot install 26.05"),
        ("25.11", "ami-0fedcba9876543210", "write version and the ami_id of such an AMI in one edit"),
    ],
)
def test_newer_versions_are_named_with_what_their_ami_needs(
    version: str, ami_id: str | None, then: str, tmp_path: Path
) -> None:
    step = _steps(tmp_path, "2.32.0", version=version, ami_id=ami_id)["slurm.version"]
    assert "26.05 (supported until 2027-11-30)" in step.what
    assert "goes up only, by 3 versions at most" in step.then
    assert then in step.then


def test_the_newest_version_has_nothing_above_it(tmp_path: Path) -> None:
    step = _steps(tmp_path, "2.32.0", version="26.05", ami_id="ami-0fedcba9876543210")["slurm.version"]
    assert (step.what, step.then) == (
        "Slurm stays 26.05 (supported until 2027-11-30)", "the catalog has no newer version of PCS"
    )  # fmt: skip


def test_a_date_in_doubt_is_marked(tmp_path: Path) -> None:
    assert "in doubt: an older copy" in _steps(tmp_path, "2.32.0", version="25.05")["slurm.version"].what


def test_an_environment_without_slurm_has_no_steps() -> None:
    environment = check_environment(ROOT / "environments" / "train-trn1.yaml").require_resolved()
    catalog = load_catalog()
    after = catalog.neuron_sdks.get("2.33.0")
    assert after is not None
    assert [each for each in registered() if each.upgrade_steps(environment, after, catalog, None)] == []

"""The AMI that `image build` wrote into a lock, when the lock is written again."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.deploy.lock_resolver import ResolvedLockInputs, UnresolvedDigest
from neuron_cluster.deploy.lock_update import LockFile, check_lock, update_lock
from neuron_cluster.lock.model import Lock, LockedImage
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.providers.pcs.lock_part import LockedSlurmImage, with_built_image

IMAGE = LockedSlurmImage("ami-0123456789abcdef3", "ami-0123456789abcdef2", "base_ubuntu_24_04", "25.11", "1.5", "1.0.7")
LOCK = Lock("batch", "111122223333", "us-west-2", None, dlamis={"base_ubuntu_24_04": LockedImage(IMAGE.parent)})
SOURCE = {("slurm_image", "image_id"): "EC2 Image Builder, a build"}


@pytest.fixture
def file(tmp_path: Path) -> LockFile:
    """A lock with an AMI."""
    path = tmp_path / "batch.yaml"
    write_lock(path, lock_text(with_built_image(LOCK, IMAGE), SOURCE, "a test"))
    return LockFile(path, "a test", load_lock(path, display_name="lock", again="a test"))


def test_it_stays_with_its_source(file: LockFile) -> None:
    update = update_lock(ResolvedLockInputs(LOCK, {}, ()), file)
    assert (update.changes, update.is_written) == ((), False)
    assert "# EC2 Image Builder, a build" in file.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("other", [{"region": "us-east-1"}, {"account": "444455556666"}])
def test_it_does_not_stay_where_ec2_does_not_have_it(file: LockFile, other: dict[str, str]) -> None:
    resolved = ResolvedLockInputs(replace(LOCK, **other), {}, ())
    assert ("slurm_image", "image_id") in {change.path for change in check_lock(resolved, file).changes}
    update_lock(resolved, file)
    assert "slurm_image" not in file.path.read_text(encoding="utf-8")


def test_a_digest_that_is_not_known_has_the_remedy_of_its_chart_or_the_general_one(file: LockFile) -> None:
    unresolved = (UnresolvedDigest("of a chart", "build it"), UnresolvedDigest("of an image"))
    own, general = check_lock(ResolvedLockInputs(LOCK, {}, unresolved), file).warnings
    assert (own.id, own.message, own.hint) == ("W9108", "of a chart", "build it; then run it again")
    assert "where the registry can be reached" in general.hint

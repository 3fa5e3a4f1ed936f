"""Parts of a lock that providers declare."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from neuron_cluster.lock.diff import change_row, lock_changes
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.part import LockPart, lock_parts, register_lock_part

LOCK = Lock("batch", "111122223333", "us-west-2", None)


def test_the_part_of_a_provider_is_found_by_its_place() -> None:
    assert [part.key for part in lock_parts()] == ["slurm_image"]


def test_two_parts_cannot_have_one_key() -> None:
    with pytest.raises(ValueError, match="two parts of a lock have the key slurm_image"):
        register_lock_part(LockPart(key="slurm_image", noun="other", forms={}))
    assert [part.noun for part in lock_parts()] == ["AMI of Slurm nodes"]


def test_a_change_of_a_part_has_the_noun_of_its_provider() -> None:
    (change,) = lock_changes(LOCK, replace(LOCK, parts={"slurm_image": {"image_id": "ami-0123456789abcdef0"}}))
    assert change_row(change)[:3] == ("added", "AMI of Slurm nodes", "image_id")


def test_a_lock_with_only_a_part_pins_software() -> None:
    recorded = replace(LOCK, lustre_metadata="none")
    assert not recorded.pins_software
    assert replace(recorded, parts={"slurm_image": {"image_id": "ami-0123456789abcdef0"}}).pins_software

"""The AMI of Slurm nodes in the lock: `neuron-cluster image build` writes it, plans and rules read it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict, replace

from neuron_cluster.lock.forms import IMAGE, NAME, VERSION
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.part import LockPart, register_lock_part

PART = LockPart(
    key="slurm_image",
    noun="AMI of Slurm nodes",
    forms={
        "image_id": IMAGE,
        "parent": IMAGE,
        "dlami": NAME,
        "slurm_version": VERSION,
        "agent_version": VERSION,
        "recipe_version": VERSION,
    },
)
register_lock_part(PART)


class LockedSlurmImage(Struct, frozen=True):
    """The AMI that `neuron-cluster image build` has built for Slurm nodes, and what it was built from."""

    image_id: str
    parent: str
    """AMI id of the Deep Learning AMI."""
    dlami: str
    """Kind of the Deep Learning AMI."""
    slurm_version: str
    agent_version: str
    """Version of the PCS agent."""
    recipe_version: str
    """Version of the recipe of Image Builder: its second number is that of the software, its third of node scripts."""


def built_image(lock: Lock | None) -> LockedSlurmImage | None:
    """Returns the AMI of a lock; None where none was built."""
    entries = lock.parts.get(PART.key) if lock is not None else None
    return LockedSlurmImage(**entries) if entries is not None else None


def with_built_image(lock: Lock, image: LockedSlurmImage) -> Lock:
    """Returns the lock with this AMI."""
    return replace(lock, parts={**lock.parts, PART.key: asdict(image)})

"""The lock of a template in a VPC that exists: an example, until the user's own VPC is pinned."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.tree import LockPath
from neuron_cluster.starter.replacements import Replacements

EXAMPLE: dict[LockPath, str] = {
    ("network",): "an example, not a VPC of the account: set your ids in the environment file, run the command above"
}
"""The origin of what the lock has, as a comment of it."""


def example_lock(lock: Lock, name: str, replaced: Replacements) -> Lock | None:
    """Returns a lock for a user's environment, maybe in another Region: the VPC, no software. None without a VPC."""
    if lock.network is None:
        return None
    subnets = {
        subnet_id: replace(each, availability_zone=replaced.after(each.availability_zone))
        for subnet_id, each in lock.network.subnets.items()
    }
    network = replace(lock.network, subnets=subnets)
    return Lock(name, replaced.account[1], replaced.region[1], lock.kubernetes_version, network=network)

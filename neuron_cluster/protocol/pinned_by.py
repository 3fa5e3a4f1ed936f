"""The file that pins an AMI: the environment file or its lock, and where findings about it are reported."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.model import Lock
from neuron_cluster.protocol.aws_access import AwsAccess

AMAZON = "amazon"
"""Alias of the owners in EC2's own list. Source: EC2 API Reference, DescribeImages, filter owner-alias."""


class PinnedBy(Struct, frozen=True):
    """The source of a pinned image. ``lock`` is None where no lock was read."""

    lock: Lock | None
    lock_file: str
    lock_again: str
    """The command that writes the lock again."""
    locate: Callable[[KeyPath], Location]

    def place(self, path: KeyPath, *entry: str) -> Location:
        """The lock's entry where it has one, else the key in the environment file."""
        return Location(self.lock_file, path=".".join(entry)) if entry else self.locate(path)


def unknown_image(what: str, place: Location, access: AwsAccess, anew: str) -> Finding:
    """Returns the finding for an unknown image: an error on AWS; the local AWS does not have every image."""
    if access.is_local:
        return Finding("W9545", place, f"the local AWS does not have {what}: its owner was not checked", anew)
    message = f"{what} does not exist in {access.target.region}, or the account may not launch it"
    return Finding("E9543", place, message, anew)

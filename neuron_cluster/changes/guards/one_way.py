"""Settings of storage and cluster that a service changes in one direction only."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in

CLUSTER = "AWS::EKS::Cluster"

SIZES = {"AWS::FSx::FileSystem": "StorageCapacity", "AWS::EC2::Volume": "Size"}
"""The property that holds a size in GiB."""


class StorageShrinks(Guard):
    """The size of a file system or volume grows and never shrinks (`capacity_gib`, `size_gib`).

    FSx and EC2 reject a smaller size, in the middle of the deploy, which then rolls back.
    """

    id = "E9011"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-storage-capacity.html; "
        "https://docs.aws.amazon.com/ebs/latest/userguide/modify-volume-requirements.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if (found := _shrinking(comparison, address)) is not None:
                yield found


class KubernetesVersionSkipped(Guard):
    """The Kubernetes version goes up one minor version at a time, and never down (`eks.version`).

    EKS rejects any other update of the version, in the middle of the deploy, which then rolls back.
    """

    id = "E9012"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if (found := _skipping(comparison, address)) is not None:
                yield found


def _shrinking(comparison: Comparison, address: Address) -> Violation | None:
    if comparison.type_of(address) not in SIZES:
        return None
    size = SIZES[comparison.type_of(address)]
    sizes = [str(stacks.properties(address).get(size)) for stacks in (comparison.before, comparison.after)]
    if not all(size.isdecimal() for size in sizes):  # a token hides it
        return None
    old, new = map(int, sizes)
    if new >= old:
        return None
    return Violation(
        address,
        f"{name_in(comparison, address)} has {old} GiB and cannot shrink to {new} GiB",
        f"keep {old} GiB or grow it. For a smaller one: deploy a second environment with it and copy the data",
    )


def _skipping(comparison: Comparison, address: Address) -> Violation | None:
    if comparison.type_of(address) != CLUSTER:
        return None
    old, new = (str(stacks.properties(address).get("Version", "")) for stacks in (comparison.before, comparison.after))
    before, after = _numbers(old), _numbers(new)
    if before is None or after is None or old == new or is_next_minor_version(old, new):
        return None
    return Violation(
        address,
        f"the Kubernetes version is {old} and cannot change to {new}: EKS upgrades one minor version "
        "at a time, and never "
        "downgrades",
        f"deploy {before[0]}.{before[1] + 1} first" if after[1] > before[1] else f"write {old} or newer",
    )


def is_next_minor_version(old: str, new: str) -> bool:
    """Whether ``new`` is the minor version of Kubernetes after ``old``."""
    before, after = _numbers(old), _numbers(new)
    return before is not None and after is not None and after == (before[0], before[1] + 1)


def _numbers(version: str) -> tuple[int, int] | None:
    """Major and minor; none without a version, or with one that a token hides."""
    major, _, minor = version.partition(".")
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else None

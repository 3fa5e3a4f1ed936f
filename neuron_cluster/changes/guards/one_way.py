"""Some settings of state and cluster go one way only; the service refuses the way back in the middle of a deploy."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.finding import Finding

CLUSTER = "AWS::EKS::Cluster"

SIZES = {"AWS::FSx::FileSystem": "StorageCapacity", "AWS::EC2::Volume": "Size"}
"""The property that holds a size in GiB."""


def one_way_refusals(comparison: Comparison) -> list[Finding]:
    """E9011: a file system or volume would shrink. E9012: Kubernetes would go down, or leap over a minor version."""
    return [
        finding
        for address in sorted(comparison.updated)
        for finding in (_shrinking(comparison, address), _leaping(comparison, address))
        if finding is not None
    ]


def _shrinking(comparison: Comparison, address: Address) -> Finding | None:
    if comparison.type_of(address) not in SIZES:
        return None
    size = SIZES[comparison.type_of(address)]
    sizes = [str(stacks.properties(address).get(size)) for stacks in (comparison.before, comparison.after)]
    if not all(size.isdecimal() for size in sizes):  # a token hides it
        return None
    old, new = map(int, sizes)
    if new >= old:
        return None
    return Finding(
        "E9011",
        place(address),
        f"{name_in(comparison, address)} has {old} GiB and cannot shrink to {new} GiB",
        f"keep {old} GiB or grow it. For a smaller one: deploy a second environment with it and copy the data",
    )


def _leaping(comparison: Comparison, address: Address) -> Finding | None:
    if comparison.type_of(address) != CLUSTER:
        return None
    old, new = (str(stacks.properties(address).get("Version", "")) for stacks in (comparison.before, comparison.after))
    before, after = _numbers(old), _numbers(new)
    if before is None or after is None or old == new or goes_up_by_one(old, new):
        return None
    return Finding(
        "E9012",
        place(address),
        f"Kubernetes is {old} and cannot go to {new}: EKS goes up one minor version at a time, and never down",
        f"deploy {before[0]}.{before[1] + 1} first" if after[1] > before[1] else f"write {old} or newer",
    )


def goes_up_by_one(old: str, new: str) -> bool:
    """Whether ``new`` is the minor version of Kubernetes after ``old``."""
    before, after = _numbers(old), _numbers(new)
    return before is not None and after is not None and after == (before[0], before[1] + 1)


def _numbers(version: str) -> tuple[int, int] | None:
    """Major and minor; none without a version, or with one that a token hides."""
    major, _, minor = version.partition(".")
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else None

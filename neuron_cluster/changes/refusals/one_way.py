"""Some settings of state and cluster go one way only; the service refuses the way back in the middle of a deploy."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.refusals.wording import place
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings import Finding

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
    try:
        (old_major, old_minor), (new_major, new_minor) = (map(int, version.split(".")) for version in (old, new))
    except ValueError:  # no version, or one that a token hides
        return None
    if old_major == new_major and 0 <= new_minor - old_minor <= 1:
        return None
    return Finding(
        "E9012",
        place(address),
        f"Kubernetes is {old} and cannot go to {new}: EKS goes up one minor version at a time, and never down",
        f"deploy {old_major}.{old_minor + 1} first" if new_minor > old_minor else f"write {old} or newer",
    )

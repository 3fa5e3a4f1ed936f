"""Settings of storage that a service changes in one direction only."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.file_system_move import FILE_SYSTEM, move_steps
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in

TIERING = (("ThroughputCapacity",), ("MetadataConfiguration", "Iops"))
"""Properties of a Lustre configuration that can be raised and not lowered."""
SIZES = {FILE_SYSTEM: "StorageCapacity", "AWS::EC2::Volume": "Size"}
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
            if comparison.type_of(address) == FILE_SYSTEM:
                yield from _lowered(comparison, address)


def _lowered(comparison: Comparison, address: Address) -> Iterator[Violation]:
    """Throughput and metadata IOPS of Intelligent-Tiering."""
    for path in TIERING:
        values = [
            value_at(stacks.properties(address), ("LustreConfiguration", *path))
            for stacks in (comparison.before, comparison.after)
        ]
        if not all(str(value).isdecimal() for value in values) or int(values[1]) >= int(values[0]):
            continue
        key = "throughput_mbps" if path == TIERING[0] else "metadata_iops"
        yield Violation(
            address,
            f"{name_in(comparison, address)} has {key} {values[0]}, which FSx does not lower to {values[1]}",
            f"keep {key}: {values[0]} or raise it. For less: deploy a second environment with it and copy the data",
        )


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
    smaller = "deploy a second environment with it and copy the data"
    if comparison.type_of(address) == FILE_SYSTEM:
        smaller = move_steps(comparison.before, comparison.after, address, comparison.catalog)
    return Violation(
        address,
        f"{name_in(comparison, address)} has {old} GiB and cannot shrink to {new} GiB",
        f"keep {old} GiB or grow it. For a smaller one: {smaller}",
    )

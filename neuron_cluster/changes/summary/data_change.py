"""Changes of data: kept, grown, or blocked."""

from __future__ import annotations

import enum
from collections.abc import Collection

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.deleting_edits import expiring_buckets, expiry_text, mirror_text, mirrored_deletions
from neuron_cluster.changes.guards import existing_storage
from neuron_cluster.changes.guards.state import holds_state
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.summary.property_change import property_changes, summarized

FILE_SYSTEM, CAPACITY = "AWS::FSx::FileSystem", "StorageCapacity"
EXISTING = {
    existing_storage.FILE_SYSTEM: ("the Lustre file system", FILE_SYSTEM),
    existing_storage.BUCKET: ("the checkpoint bucket", "AWS::S3::Bucket"),
}
"""Name and type of what an output of the storage stack names."""
ABOUT_DATA = ("AWS::FSx::DataRepositoryAssociation",)
"""Types that hold nothing themselves and decide where data is written."""


class DataChangeKind(enum.StrEnum):
    """The kind of change of a resource that holds data."""

    ADDED = "added"
    RETAINED = "kept"
    GROWN = "kept and grown"
    CHANGED = "kept, changed in place"
    EXPIRING = "kept, older objects deleted"
    REMOVED = "removed"
    REPLACED = "would be replaced"
    LEFT = "would be left behind"
    EXCHANGED = "would be another one"


class DataChange(Struct, frozen=True):
    """One resource that holds data, or decides where data is written."""

    resource: str
    """Its logical id."""
    name: str
    """What a person calls it: ``the Lustre file system``."""
    type: str
    kind: DataChangeKind
    what: str
    is_refused: bool


def data_changes(comparison: Comparison, blocked: Collection[Address] = ()) -> list[DataChange]:
    """Every resource that holds data, changed or not, and another bucket or file system that exists in place of one.

    ``blocked`` holds those whose change a deploy blocks.
    """
    deleting = _deleting(comparison)
    addresses = sorted(comparison.before.addresses() | comparison.after.addresses())
    found = [
        DataChange(
            address.logical_id,
            name_in(comparison, address),
            comparison.type_of(address),
            *_what(comparison, address, deleting.get(address, "")),
            address in blocked,
        )
        for address in addresses
        if _is_about_data(comparison, address)
    ]
    for output, (name, kind) in EXISTING.items():
        for address, old, new in existing_storage.exchanged(comparison, output):
            what = f"{new} in the place of {old}, whose data stays there"
            found.append(DataChange(output, name, kind, DataChangeKind.EXCHANGED, what, address in blocked))
    return found


def _is_about_data(comparison: Comparison, address: Address) -> bool:
    states = (stacks for stacks in (comparison.before, comparison.after) if address in stacks.addresses())
    return comparison.type_of(address) in ABOUT_DATA or any(holds_state(stacks, address) for stacks in states)


def _deleting(comparison: Comparison) -> dict[Address, str]:
    """Returns the deletions by S3 and FSx after the edit, by the resource whose setting changes."""
    texts = {each.address: f"S3 deletes {expiry_text(each.sooner)}" for each in expiring_buckets(comparison)}
    return texts | {each.address: f"FSx {mirror_text(each)}" for each in mirrored_deletions(comparison)}


def _what(comparison: Comparison, address: Address, deleting: str) -> tuple[DataChangeKind, str]:
    if address in comparison.added:
        return DataChangeKind.ADDED, deleting
    if address in comparison.removed:
        holds = holds_state(comparison.before, address)
        return (DataChangeKind.LEFT, "no longer in the environment") if holds else (DataChangeKind.REMOVED, "")
    if address in comparison.replaced:
        return DataChangeKind.REPLACED, f"because {why_replaced(comparison, address)}"
    changed = property_changes(comparison, address)
    what = summarized(changed)
    sizes = [(change.before, change.after) for change in changed if change.path == CAPACITY]
    if comparison.type_of(address) == FILE_SYSTEM and sizes and _grows(*sizes[0]):
        return DataChangeKind.GROWN, what
    if deleting:
        kind = DataChangeKind.CHANGED if comparison.type_of(address) in ABOUT_DATA else DataChangeKind.EXPIRING
        return kind, f"{deleting}; {what}"
    return (DataChangeKind.CHANGED, what) if changed else (DataChangeKind.RETAINED, "")


def _grows(before: str, after: str) -> bool:
    return before.isdigit() and after.isdigit() and int(after) > int(before)

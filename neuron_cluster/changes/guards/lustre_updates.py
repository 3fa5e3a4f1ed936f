"""Updates of a deployed Lustre file system: one of FSx's for each deploy, and what the nodes notice of it."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.file_system_move import FILE_SYSTEM
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.source import change_sources
from neuron_cluster.findings.text import listed

IN_ORDER = {
    ("LustreConfiguration", "MetadataConfiguration"): "metadata",
    ("StorageCapacity",): "capacity_gib",
    ("LustreConfiguration", "PerUnitStorageThroughput"): "throughput_mbps_per_tib",
}
"""The key of ``storage.lustre`` by property, in the order of deploys."""


class LustreUpdatesTogether(Guard):
    """One deploy changes one of metadata, capacity and throughput of a Lustre file system (`storage.lustre`).

    FSx carries out each as an update of its own, with minutes without service. With more capacity it requires more
    metadata IOPS first, and rejects a capacity that comes before or together with them, in the middle of the deploy.
    """

    id = "E9041"
    source = (
        "https://github.com/hashicorp/terraform-provider-aws/issues/44432; "
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-storage-capacity.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in updated_file_systems(comparison):
            keys = _changed_keys(comparison, address)
            if len(keys) > 1:
                first, *later = keys
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} would change its {listed(keys)} in one deploy",
                    f"take {len(keys)} deploys: 1. edit {first} alone, the other keys of storage.lustre as deployed; "
                    f"2. when the file system is AVAILABLE, edit {', then '.join(later)}",
                )


class LustreUpdatedUnderTraining(Guard):
    """A Lustre file system changes its capacity or throughput while no nodes with Neuron devices run.

    FSx replaces or adds servers: file operations wait for minutes, a save as well, and after more capacity the file
    system is slower for hours to days while it distributes its files. Programs wait and go on.
    """

    id = "W9042"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-throughput-capacity.html"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        running = _running_groups(comparison)
        for address in updated_file_systems(comparison) if running else ():
            if keys := _changed_keys(comparison, address):
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} changes its {listed(keys)} while {listed(running)} "
                    f"{'has' if len(running) == 1 else 'have'} nodes: file operations wait for minutes",
                    "deploy it after a save, or with `desired: 0` for these groups; running programs wait and go on",
                )


def updated_file_systems(comparison: Comparison) -> Iterator[Address]:
    """File systems that the edit updates in place."""
    return (address for address in sorted(comparison.updated) if comparison.type_of(address) == FILE_SYSTEM)


def changed_properties(comparison: Comparison, address: Address) -> list[tuple[str, ...]]:
    """Returns the changed properties that FSx updates separately; E9031 is for an added or removed configuration."""
    before, after = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
    found = {path: (value_at(before, path), value_at(after, path)) for path in IN_ORDER}
    return [path for path, (old, new) in found.items() if old is not None and new is not None and str(old) != str(new)]


def _changed_keys(comparison: Comparison, address: Address) -> list[str]:
    return [IN_ORDER[path] for path in changed_properties(comparison, address)]


def _running_groups(comparison: Comparison) -> list[str]:
    """Compute groups with Neuron devices that keep nodes in this deploy."""
    neuron = {row.name for row in comparison.catalog.instance_types if row.neuron_devices}
    sources = change_sources()
    deployed = {each.name for source in sources for each in source.machines(comparison.before) if each.desired != 0}
    groups = [each for source in sources for each in source.machines(comparison.after)]
    return sorted(
        {each.name for each in groups if each.name in deployed and each.desired != 0 and each.instance_type in neuron}
    )

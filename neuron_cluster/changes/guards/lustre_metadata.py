"""The metadata configuration of a Lustre file system is decided when FSx creates it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.file_system_move import FILE_SYSTEM, move_steps
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in


class LustreMetadataChanged(Guard):
    """The metadata configuration of a deployed Lustre file system stays (`storage.lustre.metadata`).

    FSx sets it when it creates a file system. One that was created without it never gets it, and none loses it: FSx
    rejects the update with BadRequest, in the middle of the deploy, which then rolls back. Where the file leaves the
    key out, `deploy` and `neuron-cluster lock` record in the lock what the file system has.
    """

    id = "E9031"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != FILE_SYSTEM:
                continue
            had, gets = (_has_metadata(stacks.properties(address)) for stacks in (comparison.before, comparison.after))
            if had != gets:
                name = name_in(comparison, address)
                message = f"{name} was created with a metadata configuration, which FSx cannot remove"
                if gets:
                    message = f"{name} was created without a metadata configuration, and FSx cannot add one later"
                hint = f"write `metadata: {'automatic' if had else 'none'}` in storage.lustre, which is what it has"
                if gets:
                    hint += (
                        f". To have one: {move_steps(comparison.before, comparison.after, address, comparison.catalog)}"
                    )
                yield Violation(address, message, hint)


def _has_metadata(properties: Mapping[str, Any]) -> bool:
    return "MetadataConfiguration" in properties.get("LustreConfiguration", {})

"""The metadata configuration of a Lustre file system is decided when FSx creates it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.finding import Finding

FILE_SYSTEM = "AWS::FSx::FileSystem"


def lustre_metadata_refusals(comparison: Comparison) -> list[Finding]:
    """E9031: a deployed file system would get a metadata configuration, or lose the one it has."""
    found = []
    for address in sorted(comparison.updated):
        if comparison.type_of(address) != FILE_SYSTEM:
            continue
        had, gets = (_has_metadata(stacks.properties(address)) for stacks in (comparison.before, comparison.after))
        if had != gets:
            name = name_in(comparison, address)
            message = f"{name} was created with a metadata configuration, which FSx cannot remove"
            if gets:
                message = f"{name} was created without a metadata configuration, and FSx adds none later"
            hint = f"write `metadata: {'automatic' if had else 'none'}` in storage.lustre, which is what it has"
            found.append(Finding("E9031", place(address), message, hint))
    return found


def _has_metadata(properties: Mapping[str, Any]) -> bool:
    return "MetadataConfiguration" in properties.get("LustreConfiguration", {})

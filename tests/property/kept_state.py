"""Resources that no edit may move: state, the cluster, and all that their create-only properties refer to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.stack_set import StackSet

KEEPING = ("Retain", "RetainExceptOnCreate", "Snapshot")

Templates = Mapping[str, Any]


def holds_data(stacks: StackSet, address: Address) -> bool:
    """Whether the template keeps it; what is kept inside of the cluster goes with the cluster."""
    resource = stacks.resource(address)
    return resource.get("DeletionPolicy") in KEEPING and not resource["Type"].startswith("Custom::AWSCDK-EKS-")


def is_protected(stacks: StackSet, address: Address) -> bool:
    return stacks.resource(address)["Type"] == "AWS::EKS::Cluster" or holds_data(stacks, address)


def what_must_stay(stacks: StackSet) -> dict[Address, dict[str, Any]]:
    """State, the cluster and all that their create-only properties refer to, each with its create-only values."""
    found: dict[Address, dict[str, Any]] = {}
    waiting = [address for address in stacks.addresses() if is_protected(stacks, address)]
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        paths = load_catalog().create_only_properties(stacks.resource(address)["Type"])
        found[address] = {"/".join(path): value_at(stacks.properties(address), path) for path in paths}
        waiting += [reference.target for reference in references(list(found[address].values()))]
    return found


def what_moved(before: Templates, after: Templates) -> list[str]:
    """All of it whose logical id is gone, or a create-only property of which has another value."""
    new = StackSet(after)
    staying = what_must_stay(StackSet(before))
    values = {
        address: {path: value_at(new.properties(address), tuple(path.split("/"))) for path in paths}
        for address, paths in staying.items()
        if address in new.addresses()
    }
    return sorted(str(address) for address, paths in staying.items() if values.get(address) != paths)

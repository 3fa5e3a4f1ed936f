"""A namespace that an edit would give to another team."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kubernetes_objects import OBJECTS, objects_of
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.team import GROUP_PREFIX

SHARED = "eks.namespaces"
"""Owner of a namespace that belongs to no team."""


class NamespaceMoved(Guard):
    """A namespace does not move from one team to another in one deploy (`teams`, `eks.namespaces`).

    The ClusterQueue of a LocalQueue is immutable in Kueue: `kubectl apply` fails in the middle of the software stack,
    which rolls back. And CloudFormation creates the Role, limits and network policies of the new team before it deletes
    those of the old one, which have the same names: the namespace would have none of them. A team of another name that
    keeps its namespaces is another team.
    """

    id = "E9580"
    key = ("teams",)
    source = "https://kueue.sigs.k8s.io/docs/concepts/local_queue/"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each pair of owners."""
        ended = [each for each in comparison.removed if each.stack not in comparison.gone_stacks]
        before = _owners(comparison.before, (*comparison.updated, *ended, *comparison.replaced))
        after = _owners(comparison.after, (*comparison.updated, *comparison.added, *comparison.replaced))
        moved: dict[tuple[str, str], list[str]] = {}
        for namespace in sorted(before.keys() & after.keys()):
            pair = (before[namespace].name, after[namespace].name)
            if pair[0] != pair[1]:
                moved.setdefault(pair, []).append(namespace)
        for (old, new), namespaces in moved.items():
            yield _violation(after[namespaces[0]].address, old, new, namespaces)


class _Owner(Struct, frozen=True):
    name: str
    address: Address
    """The address of the resource that shows it."""


def _owners(stacks: StackSet, addresses: Iterable[Address]) -> dict[str, _Owner]:
    """Returns the owners of namespaces in the resources at these addresses, by namespace."""
    found: dict[str, _Owner] = {}
    for address in sorted(set(addresses)):
        if stacks.resource(address)["Type"] == OBJECTS:
            for kubernetes_object in objects_of(stacks, address):
                owner = _owner(kubernetes_object)
                if owner is not None:
                    found[str(kubernetes_object["metadata"]["namespace"])] = _Owner(owner, address)
    return found


def _owner(kubernetes_object: Mapping[str, Any]) -> str | None:
    """The owner of its namespace, where the object refers to it: a LocalQueue, or the RoleBinding of a team."""
    match kubernetes_object:
        case {"kind": "LocalQueue", "metadata": {"name": str(queue)}, "spec": {"clusterQueue": str(cluster_queue)}}:
            return SHARED if cluster_queue == queue else f"the team {cluster_queue.removesuffix(f'-{queue}')}"
        case {"kind": "RoleBinding", "subjects": [{"name": str(group)}]} if group.startswith(GROUP_PREFIX):
            return f"the team {group.removeprefix(GROUP_PREFIX)}"
    return None


def _violation(address: Address, old: str, new: str, namespaces: list[str]) -> Violation:
    one = len(namespaces) == 1
    names = f"the namespace{'' if one else 's'} {listed(namespaces)}"
    emptied = "" if old == SHARED else " (a team without another namespace: remove the team)"
    return Violation(
        address,
        f"{names} would move from {old} to {new}; Kueue rejects another ClusterQueue for a LocalQueue, and the deploy "
        "would stop in the middle of the software stack",
        f"take two steps: 1. remove {listed(namespaces)} from {old}{emptied} without the rest of the edit and deploy: "
        f"the namespace{'' if one else 's'} and {'its' if one else 'their'} objects stay in the cluster; 2. add "
        f"{'it' if one else 'them'} to {new} and deploy",
    )

"""What an edit does to teams in the cluster: queues with quotas, priorities, namespaces and their limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.kubernetes_objects import OBJECTS, parsed
from neuron_cluster.changes.stack_set import StackSet

AMOUNTS = {"nominalQuota": "", "borrowingLimit": ", most to borrow", "lendingLimit": ", most to lend"}
"""Fields of a resource of a ClusterQueue (https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/)."""
EXISTS = "exists"


class TeamChange(Struct, frozen=True):
    """One setting. ``before`` or ``after`` is empty where there is none."""

    where: str
    """Queue, namespace or priority, and the setting: ``queue vision: aws.amazon.com/neuron of trn2``."""
    before: str
    after: str


def team_changes(comparison: Comparison) -> list[TeamChange]:
    """By queue, namespace or priority, then by setting."""
    before, after = dict(_settings(comparison.before)), dict(_settings(comparison.after))
    return [
        TeamChange(where, before.get(where, ""), after.get(where, ""))
        for where in sorted(before.keys() | after.keys())
        if before.get(where) != after.get(where)
    ]


def _settings(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        resource = stacks.resource(address)
        if resource["Type"] == OBJECTS:
            manifest = parsed(resource.get("Properties", {}).get("Manifest"))
            for body in manifest if isinstance(manifest, list) else ():
                if isinstance(body, Mapping) and isinstance(body.get("metadata"), Mapping):
                    yield from _of_object(body, body["metadata"])


def _of_object(body: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name, namespace, spec = metadata.get("name"), metadata.get("namespace"), body.get("spec") or {}
    match body.get("kind"):
        case "ClusterQueue":
            yield from ((f"queue {name}: {key}", value) for key, value in _of_queue(spec))
        case "LocalQueue":
            yield f"namespace {namespace}: queue {name}", f"of {spec.get('clusterQueue')}"
        case "Namespace":
            yield f"namespace {name}", EXISTS
        case "ResourceQuota":
            for resource, amount in (spec.get("hard") or {}).items():
                yield f"namespace {namespace}: {resource}", str(amount)
        case "WorkloadPriorityClass":
            yield f"priority {name}", str(body.get("value"))


def _of_queue(spec: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for group in spec.get("resourceGroups") or ():
        for flavor in group["flavors"]:
            for resource in flavor["resources"]:
                amounts = ((resource[field], words) for field, words in AMOUNTS.items() if field in resource)
                for amount, words in amounts:
                    yield f"{resource['name']} of {flavor['name']}{words}", str(amount)
    if "cohortName" in spec:
        yield "cohort", str(spec["cohortName"])
    for rule, value in (spec.get("preemption") or {}).items():
        yield f"preemption, {rule}", value if isinstance(value, str) else json.dumps(value)

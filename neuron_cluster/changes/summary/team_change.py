"""Changes of teams in the cluster: queues with quotas, priorities, namespaces and their limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.quantity import quantity
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.kubernetes_objects import OBJECTS, parsed
from neuron_cluster.changes.stack_set import StackSet

BORROW, LEND, WEIGHT = ", most to borrow", ", most to lend", "weight"
AMOUNTS = {"nominalQuota": "", "borrowingLimit": BORROW, "lendingLimit": LEND}
"""Fields of a resource of a ClusterQueue (https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/)."""
EXISTS = "exists"
STAYS = "stays in the cluster, with the objects in it"
"""A namespace whose resource is taken out of its stack and has a DeletionPolicy that retains it."""


class TeamChange(Struct, frozen=True):
    """One setting. ``before`` or ``after`` is empty where there is none."""

    where: str
    """Queue, namespace or priority, and the setting: ``queue vision: aws.amazon.com/neuron of trn2``."""
    before: str
    after: str

    @property
    def subject(self) -> str:
        """``queue vision``."""
        return self.where.partition(": ")[0]

    @property
    def setting(self) -> str:
        """``aws.amazon.com/neuron of trn2``; empty for the queue or namespace itself."""
        return self.where.partition(": ")[2]

    @property
    def is_less(self) -> bool:
        """Whether an amount that its jobs or objects may use is lower than before, or limited for the first time."""
        if self.setting in ("", WEIGHT) or self.setting.endswith(LEND):
            return False
        before, after = quantity(self.before), quantity(self.after)
        if self.setting.endswith(BORROW) or self.subject.startswith("namespace "):
            return after is not None and (before is None or after < before)
        return before is not None and (after is None or after < before)


def team_changes(comparison: Comparison) -> list[TeamChange]:
    """Returns the changes by queue, namespace or priority, then by setting."""
    before, after = dict(_settings(comparison.before)), dict(_settings(comparison.after))
    after = dict.fromkeys(_retained(comparison.before), STAYS) | after
    return [
        TeamChange(where, before.get(where, ""), after.get(where, ""))
        for where in sorted(before.keys() | after.keys())
        if before.get(where) != after.get(where)
    ]


def _settings(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for body, _ in _objects(stacks):
        yield from _of_object(body, body["metadata"])


def _retained(stacks: StackSet) -> Iterator[str]:
    """Namespaces that stay in the cluster when their resource is taken out."""
    for body, is_retained in _objects(stacks):
        if is_retained and body.get("kind") == "Namespace":
            yield f"namespace {body['metadata'].get('name')}"


def _objects(stacks: StackSet) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Every object, and whether the deletion of its resource leaves it in the cluster."""
    for address in sorted(stacks.addresses()):
        resource = stacks.resource(address)
        if resource["Type"] == OBJECTS:
            manifest = parsed(resource.get("Properties", {}).get("Manifest"))
            is_retained = str(resource.get("DeletionPolicy", "")).startswith("Retain")
            for body in manifest if isinstance(manifest, list) else ():
                if isinstance(body, Mapping) and isinstance(body.get("metadata"), Mapping):
                    yield body, is_retained


def _of_object(body: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name, namespace, spec = metadata.get("name"), metadata.get("namespace"), body.get("spec") or {}
    match body.get("kind"):
        case "ClusterQueue":
            yield f"queue {name}", EXISTS
            yield from ((f"queue {name}: {key}", value) for key, value in _of_queue(spec))
        case "LocalQueue":
            yield f"namespace {namespace}: queue {name}", f"of {spec.get('clusterQueue')}"
        case "Namespace":
            yield f"namespace {name}", EXISTS
        case "ResourceQuota":
            scope = _scope(spec)
            for resource, amount in (spec.get("hard") or {}).items():
                yield f"namespace {namespace}: {resource}{scope}", str(amount)
        case "WorkloadPriorityClass":
            yield f"priority {name}", str(body.get("value"))


def _scope(spec: Mapping[str, Any]) -> str:
    """Pods that a ResourceQuota counts, where it does not count all of them."""
    selected = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    texts = [" ".join((each["scopeName"], *each.get("values", ()))) for each in selected]
    return "".join(f" of {each}" for each in (*spec.get("scopes", ()), *texts))


def _of_queue(spec: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for group in spec.get("resourceGroups") or ():
        for flavor in group["flavors"]:
            for resource in flavor["resources"]:
                amounts = ((resource[field], suffix) for field, suffix in AMOUNTS.items() if field in resource)
                for amount, suffix in amounts:
                    yield f"{resource['name']} of {flavor['name']}{suffix}", str(amount)
    if "weight" in (spec.get("fairSharing") or {}):
        yield WEIGHT, str(spec["fairSharing"]["weight"])
    if "cohortName" in spec:
        yield "cohort", str(spec["cohortName"])
    for rule, value in (spec.get("preemption") or {}).items():
        yield f"preemption, {rule}", value if isinstance(value, str) else json.dumps(value)

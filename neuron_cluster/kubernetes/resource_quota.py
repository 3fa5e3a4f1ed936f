"""Which pods and claims a ResourceQuota admits: arithmetic on objects, without a cluster.

Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/ (compute, storage, object counts, extended
resources, scopes); kubernetes/kubernetes: pkg/quota/v1/evaluator/core (pods.go, services.go,
persistent_volume_claims.go).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from neuron_cluster.kubernetes.fields import at, items
from neuron_cluster.kubernetes.quantity import GIB, quantity

REQUESTS, LIMITS = "requests", "limits"
OF_CLASS = ".storageclass.storage.k8s.io/requests.storage"
PRIORITY_CLASS = "PriorityClass"
Usage = Mapping[str, Fraction]
"""Amounts by the name that a quota limits."""


class ExceededLimit(Struct, frozen=True):
    """One limit of a quota that the requested objects exceed together."""

    quota: str
    limit: str
    hard: str
    requested: Fraction

    @property
    def words(self) -> str:
        selected = ", for pods with such a priority class" if self.limit == "pods" and self.hard == "0" else ""
        limit = f"ResourceQuota {self.quota} limits {self.limit} to {self.hard}{selected}"
        return f"{limit}, requested: {_text(self.requested)}"


def exceeded_limits(
    quotas: Iterable[Mapping[str, Any]], objects: Iterable[tuple[Mapping[str, Any], int]]
) -> list[ExceededLimit]:
    """What the quotas of a namespace forbid of all objects at once, each with the number of its copies."""
    asked = list(objects)
    return [exceeded for quota in quotas for exceeded in _exceeded(quota, asked)]


def pod_usage(pod: Mapping[str, Any]) -> Usage:
    """What one pod counts for: itself, requests of processor and memory, and every extended resource by its requests,
    which are its limits where it has none."""
    containers, first = (items(at(pod, "spec", name)) for name in ("containers", "initContainers"))
    used: dict[str, Fraction] = {"pods": Fraction(1)}
    names = {name for each in (*containers, *first) for name in _requests(each)}
    for name in sorted(names):
        together = sum((_requests(each).get(name, Fraction(0)) for each in containers), Fraction(0))
        most = max((_requests(each).get(name, Fraction(0)) for each in first), default=Fraction(0))
        used[f"{REQUESTS}.{name}"] = max(together, most)
    return used


def _exceeded(quota: Mapping[str, Any], objects: Iterable[tuple[Mapping[str, Any], int]]) -> Iterator[ExceededLimit]:
    used: dict[str, Fraction] = {}
    for body, count in objects:
        for name, amount in _usage(body).items() if _selects(quota, body) else ():
            used[name] = used.get(name, Fraction(0)) + amount * count
    for name, hard in (at(quota, "spec", "hard") or {}).items():
        requested = used.get(name, Fraction(0))
        if requested > (quantity(hard) or 0):
            yield ExceededLimit(str(at(quota, "metadata", "name")), name, str(hard), requested)


def _text(amount: Fraction) -> str:
    gib = amount / GIB
    return f"{gib}Gi" if amount >= GIB and gib.denominator == 1 else f"{float(amount):g}"


def _usage(body: Mapping[str, Any]) -> Usage:
    match body.get("kind"):
        case "Pod":
            return pod_usage(body)
        case "Service":
            return _service_usage(at(body, "spec", "type"))
        case "PersistentVolumeClaim":
            return _claim_usage(body)
    return {}


def _service_usage(kind: Any) -> Usage:
    """A Service of type LoadBalancer has node ports too."""
    ports = {"services.nodeports": Fraction(1)} if kind in ("NodePort", "LoadBalancer") else {}
    balancers = {"services.loadbalancers": Fraction(1)} if kind == "LoadBalancer" else {}
    return {"services": Fraction(1), **ports, **balancers}


def _claim_usage(body: Mapping[str, Any]) -> Usage:
    storage = quantity(at(body, "spec", "resources", REQUESTS, "storage")) or Fraction(0)
    of_class = at(body, "spec", "storageClassName")
    own = {f"{of_class}{OF_CLASS}": storage} if of_class else {}
    return {"persistentvolumeclaims": Fraction(1), "requests.storage": storage, **own}


def _requests(container: Any) -> Mapping[str, Fraction]:
    limits, requests = (at(container, "resources", part) or {} for part in (LIMITS, REQUESTS))
    return {name: amount for name, given in {**limits, **requests}.items() if (amount := quantity(given)) is not None}


def _selects(quota: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Scopes select pods alone; of them those by priority class are read."""
    expressions = items(at(quota, "spec", "scopeSelector", "matchExpressions"))
    if expressions and body.get("kind") != "Pod":
        return False
    return all(
        at(each, "scopeName") == PRIORITY_CLASS
        and at(each, "operator") == "In"
        and at(body, "spec", "priorityClassName") in (at(each, "values") or ())
        for each in expressions
    )

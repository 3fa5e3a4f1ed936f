"""Which pods and claims a ResourceQuota admits: arithmetic on objects, without a cluster.

Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/ (compute, storage, object counts, extended
resources, scopes); kubernetes/kubernetes: pkg/quota/v1/evaluator/core (pods.go, services.go,
persistent_volume_claims.go, resource_claims.go).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from local_kubernetes.model.device_claims import CLAIM
from local_kubernetes.model.fields import at, items
from local_kubernetes.model.quantity import GIB, quantity

REQUESTS, LIMITS = "requests", "limits"
OF_STORAGE, VOLUME_CLAIMS = "requests.storage", "persistentvolumeclaims"
OF_CLASS = f".storageclass.storage.k8s.io/{OF_STORAGE}"
OF_DEVICE_CLASS = ".deviceclass.resource.k8s.io/devices"
MOST_DEVICES = 32
"""The maximum of devices of one claim (``AllocationResultsMaxSize``), for which a request of all devices counts."""
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
    def is_of_claims(self) -> bool:
        """Whether claims of devices or volumes exceed it, which Kubernetes makes for pods."""
        return self.limit.endswith((OF_DEVICE_CLASS, OF_STORAGE)) or self.limit == VOLUME_CLAIMS

    @property
    def text(self) -> str:
        selected = ", for pods with such a priority class" if self.limit == "pods" and self.hard == "0" else ""
        limit = f"ResourceQuota {self.quota} limits {self.limit} to {self.hard}{selected}"
        return f"{limit}, requested: {_text(self.requested)}"


def exceeded_limits(
    quotas: Iterable[Mapping[str, Any]], objects: Iterable[tuple[Mapping[str, Any], int]]
) -> list[ExceededLimit]:
    """Returns the limits that all objects at once exceed, each object with the number of its copies."""
    asked = list(objects)
    return [exceeded for quota in quotas for exceeded in _exceeded(quota, asked)]


def pod_usage(pod: Mapping[str, Any]) -> Usage:
    """Returns the usage of one pod: itself, requests of processor and memory, and every extended resource by its
    requests, which are its limits where it has none."""
    containers, first = (items(at(pod, "spec", name)) for name in ("containers", "initContainers"))
    staying, most = _first_containers(first)
    for each in containers:
        _add(staying, _requests(each))
    names = sorted({*staying, *most})
    none = Fraction(0)
    amounts = {f"{REQUESTS}.{name}": max(staying.get(name, none), most.get(name, none)) for name in names}
    return {"pods": Fraction(1), **amounts}


def _first_containers(containers: Iterable[Any]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Returns the requests of init containers that stay (sidecars), and the most that runs at once before the others.

    https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
    """
    staying: dict[str, Fraction] = {}
    most: dict[str, Fraction] = {}
    for container in containers:
        running = dict(staying)
        _add(running, _requests(container))
        if at(container, "restartPolicy") == "Always":
            staying = running
        most |= {name: max(amount, most.get(name, Fraction(0))) for name, amount in running.items()}
    return staying, most


def _add(amounts: dict[str, Fraction], more: Mapping[str, Fraction]) -> None:
    for name, amount in more.items():
        amounts[name] = amounts.get(name, Fraction(0)) + amount


def _exceeded(quota: Mapping[str, Any], objects: Iterable[tuple[Mapping[str, Any], int]]) -> Iterator[ExceededLimit]:
    used: dict[str, Fraction] = {}
    for body, count in objects:
        if _selects(quota, body):
            _add(used, {name: amount * count for name, amount in _usage(body).items()})
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
        case kind if kind == CLAIM:
            return _device_usage(body)
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
    return {VOLUME_CLAIMS: Fraction(1), OF_STORAGE: storage, **own}


def _device_usage(body: Mapping[str, Any]) -> Usage:
    """Returns the device usage of a claim; for a request with alternatives the most of each class."""
    used: dict[str, Fraction] = {}
    for request in items(at(body, "spec", "devices", "requests")):
        most: dict[str, Fraction] = {}
        for each in (at(request, "exactly"), *items(at(request, "firstAvailable"))):
            if of_class := at(each, "deviceClassName"):
                name = f"{of_class}{OF_DEVICE_CLASS}"
                most[name] = max(_devices(each), most.get(name, Fraction(0)))
        _add(used, most)
    return used


def _devices(request: Any) -> Fraction:
    """One where the count is not set, as in Kubernetes."""
    count = at(request, "count")
    return Fraction(MOST_DEVICES if at(request, "allocationMode") == "All" else count if isinstance(count, int) else 1)


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

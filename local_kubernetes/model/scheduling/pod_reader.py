"""Reads the pods of Kubernetes objects: constraints, requests and claims of every pod template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, expand, items, text
from local_kubernetes.model.names import NEURON_RESOURCES
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.placement import NodeSelectorRequirement, Toleration
from local_kubernetes.model.pod_templates import Container, PodTemplate, pod_templates
from local_kubernetes.model.release import Release
from local_kubernetes.model.scheduling.claim_reader import read_claims
from local_kubernetes.model.scheduling.pod import PodImage, PodInfo
from local_kubernetes.model.scheduling.typed_fields import (
    amounts,
    count,
    mapped,
    one_of,
    optional_text,
    require_list,
    required_text,
    text_map,
)

REPLICA_PLACES: Mapping[str, tuple[str, ...]] = {
    "Deployment": ("spec.replicas",),
    "ReplicaSet": ("spec.replicas",),
    "ReplicationController": ("spec.replicas",),
    "StatefulSet": ("spec.replicas",),
    "Job": ("spec.parallelism",),
    "CronJob": ("spec.jobTemplate.spec.parallelism",),
}
"""The field with the number of pods that run at once, for kinds with one template; 1 where it is not set."""

OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
REQUIRED = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def pods_of(
    objects: Iterable[Mapping[str, Any]], *, namespace: str = "default", others: Iterable[Mapping[str, Any]] = ()
) -> tuple[PodInfo, ...]:
    """The pods that the objects make: built-in kinds, JobSet, MPIJob, PyTorchJob and LeaderWorkerSet.

    ``namespace`` is that of objects without one. Claims are made from ``objects`` and ``others``. Raises ValueError
    for a field that Kubernetes does not accept: an invalid quantity, operator or number.
    """
    return tuple(_read(objects, namespace, others))


def _read(
    objects: Iterable[Mapping[str, Any]], namespace: str, others: Iterable[Mapping[str, Any]]
) -> Iterator[PodInfo]:
    own = tuple(objects)
    release = Release((*own, *others), namespace=namespace)
    for body in own:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or namespace)
        templates = list(pod_templates(owner))
        for template in templates:
            try:
                pod = _pod(template, release, is_only_one=len(templates) == 1)
            except ValueError as error:
                raise ValueError(f"{owner.place}: {error}") from error
            yield pod


def _pod(template: PodTemplate, release: Release, *, is_only_one: bool) -> PodInfo:
    owner, spec = template.owner, template.spec
    which = "" if is_only_one else f" {template.path}"
    return PodInfo(
        workload=f"{owner.workload}{which}",
        kind=owner.kind,
        node_selector=text_map(at(spec, "nodeSelector"), "nodeSelector"),
        affinity=_affinity(at(spec, *REQUIRED)),
        tolerations=tuple(_toleration(each) for each in require_list(at(spec, "tolerations"), "tolerations")),
        requests={**_requests(template), "pods": 1},
        replicas=replicas_of(template),
        claims=read_claims(template, release),
        scheduler=optional_text(at(spec, "schedulerName"), "schedulerName") or "",
        images=tuple(_images(template)),
    )


def _images(template: PodTemplate) -> Iterator[PodImage]:
    for container in template.containers:
        reference, resources = at(container.body, "image"), at(container.body, "resources")
        uses_neuron = bool(at(resources, "claims")) or any(name in _requested(resources) for name in NEURON_RESOURCES)
        if isinstance(reference, str) and reference:
            yield PodImage(container.path, reference, uses_neuron)


def _affinity(required: Any) -> tuple[tuple[NodeSelectorRequirement, ...], ...]:
    """Its terms. An affinity without terms matches no node, nor does a term without requirements."""
    if required is None:
        return ()
    terms = require_list(mapped(required, "the required node affinity").get("nodeSelectorTerms"), "nodeSelectorTerms")
    return tuple(_requirements(term) for term in terms) or ((),)


def _requirements(term: Any) -> tuple[NodeSelectorRequirement, ...]:
    """Returns the requirements on labels and on fields (``metadata.name``): both are compared by their key."""
    fields = mapped(term, "a term of nodeSelectorTerms")
    return tuple(
        _requirement(each)
        for name in ("matchExpressions", "matchFields")
        for each in require_list(fields.get(name), name)
    )


def _requirement(each: Any) -> NodeSelectorRequirement:
    operator: Any = one_of(at(each, "operator"), "operator of a node affinity", OPERATORS)
    values = tuple(
        required_text(value, "a value of a node affinity") for value in require_list(at(each, "values"), "values")
    )
    return NodeSelectorRequirement(
        key=required_text(at(each, "key"), "the key of a node affinity"), operator=operator, values=values
    )


def _toleration(each: Any) -> Toleration:
    operator: Any = one_of(at(each, "operator") or "Equal", "operator of a toleration", ("Exists", "Equal"))
    effect: Any = one_of(at(each, "effect") or "", "effect of a toleration", ("", *EFFECTS))
    return Toleration(
        key=optional_text(at(each, "key"), "the key of a toleration") or None,
        operator=operator,
        value=optional_text(at(each, "value"), "the value of a toleration"),
        effect=effect or None,
    )


def replicas_of(template: PodTemplate) -> int | None:
    """How many of these pods run at once."""
    owner = template.owner
    if owner.kind == "DaemonSet":
        return None
    match owner.kind:
        case "JobSet":
            place = template.path.partition(".template.spec.template")[0]
            jobs, job = _number(owner, f"{place}.replicas"), f"{place}.template.spec.parallelism"
            return jobs * _number(owner, job)
        case "MPIJob" | "PyTorchJob":
            return _number(owner, f"{template.path.removesuffix('.template')}.replicas")
        case "LeaderWorkerSet":
            groups = _number(owner, "spec.replicas")
            size = _number(owner, "spec.leaderWorkerTemplate.size")
            has_leader = at(owner.body, "spec", "leaderWorkerTemplate", "leaderTemplate") is not None
            return groups if template.path.endswith("leaderTemplate") else groups * max(size - has_leader, 0)
    return _number(owner, *REPLICA_PLACES.get(owner.kind, ()))


def _number(owner: KubernetesObject, *places: str) -> int:
    """The number at the first of these paths that is set, else 1."""
    found = ((place, value) for place in places for _, value in expand_indexed(owner.body, place))
    return next((count(value, place) for place, value in found if value is not None), 1)


def expand_indexed(body: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    """The value at a path that may name an item of a list: ``spec.replicatedJobs[0].replicas``."""
    tree: Any = body
    head, bracket, rest = place.partition("[")
    if not bracket:
        yield from expand(tree, head)
        return
    number, _, tail = rest.partition("]")
    tree = items(at(tree, *head.split(".")))
    yield from expand(tree[int(number)], tail.removeprefix("."))


def _requests(template: PodTemplate) -> dict[str, int]:
    """Containers together with the init containers that stay (sidecars), or the largest init container if more.

    https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
    """
    staying: dict[str, int] = {}
    largest: dict[str, int] = {}
    for container in _containers(template):
        requested = _requested(at(container.body, "resources"))
        stays = container.place == "containers" or at(container.body, "restartPolicy") == "Always"
        for name, amount in requested.items():
            if stays:
                staying[name] = staying.get(name, 0) + amount
            else:
                largest[name] = max(largest.get(name, 0), staying.get(name, 0) + amount)
    whole = {name: max(staying.get(name, 0), largest.get(name, 0)) for name in (*staying, *largest)}
    total = {**whole, **_requested(at(template.spec, "resources"))}
    for name, amount in amounts(at(template.spec, "overhead"), "overhead").items():
        total[name] = total.get(name, 0) + amount
    return total


def _containers(template: PodTemplate) -> list[Container]:
    """All of them. Raises ValueError where one is not a map, or ``containers`` is empty."""
    found = list(template.containers)
    places = ("initContainers", "containers", "ephemeralContainers")
    if len(found) < sum(len(require_list(at(template.spec, place), place)) for place in places):
        raise ValueError("a container is not a map")
    if all(each.place != "containers" for each in found):
        raise ValueError(f"{template.spec_path}.containers is empty, a pod has at least one")
    return found


def _requested(resources: Any) -> dict[str, int]:
    """Requests; a resource with a limit alone requests as much."""
    given = mapped(resources, "resources")
    return {**amounts(given.get("limits"), "limits"), **amounts(given.get("requests"), "requests")}

"""Reads what the scheduler needs to know out of rendered Kubernetes objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from typing import Any

from neuron_cluster.catalog.chart import Toleration
from neuron_cluster.manifest_law.expand import expand
from neuron_cluster.manifest_law.manifest_object import ManifestObject, text_pairs
from neuron_cluster.manifest_law.pod_template import PodTemplate, pod_templates
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.quantity import amount_of
from neuron_cluster.schedule.pod_shape import PodShape, Requirement
from neuron_cluster.schedule.rendered_claims import rendered_claims
from neuron_cluster.template_law.property_tree import at, items, text

REPLICA_PLACES: Mapping[str, tuple[str, ...]] = {
    "Deployment": ("spec.replicas",),
    "ReplicaSet": ("spec.replicas",),
    "StatefulSet": ("spec.replicas",),
    "Job": ("spec.parallelism",),
    "CronJob": ("spec.jobTemplate.spec.parallelism",),
}
"""Where a kind with one template says how many pods run at once; 1 where it is not said."""

OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
TERMS = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


def rendered_pods(
    objects: Iterable[Mapping[str, Any]], namespace: str, beside: Iterable[Mapping[str, Any]] = ()
) -> Iterator[PodShape]:
    """The pods of each object; what their claims are made from is looked up there and in ``beside``.

    Raises ValueError for an amount or an operator that is none.
    """
    own = tuple(objects)
    release = Render((*own, *beside), namespace=namespace)
    for body in own:
        owner = ManifestObject(body, text(at(body, "metadata", "namespace")) or namespace)
        templates = list(pod_templates(owner))
        for template in templates:
            yield _shape(template, release, is_only_one=len(templates) == 1)


def _shape(template: PodTemplate, release: Render, *, is_only_one: bool) -> PodShape:
    owner, spec = template.owner, template.spec
    which = "" if is_only_one else f" {template.path}"
    return PodShape(
        workload=f"{owner.kind} {owner.namespace}/{owner.name}{which}",
        kind=owner.kind,
        node_selector=text_pairs(at(spec, "nodeSelector")),
        affinity=tuple(_requirements(term) for term in items(at(spec, *TERMS))),
        tolerations=tuple(_toleration(each) for each in items(at(spec, "tolerations"))),
        requests={**_requests(template), "pods": 1},
        replicas=_replicas(template),
        claims=rendered_claims(template, release),
    )


def _requirements(term: Any) -> tuple[Requirement, ...]:
    """Fields (``metadata.name``) and labels alike: a node is asked for both by their key."""
    return tuple(_requirement(each) for each in (*items(at(term, "matchExpressions")), *items(at(term, "matchFields"))))


def _requirement(each: Any) -> Requirement:
    operator = at(each, "operator")
    if operator not in OPERATORS:
        raise ValueError(f"{operator!r} is no operator of a node affinity: {', '.join(OPERATORS)}")
    values = tuple(str(value) for value in items(at(each, "values")))
    return Requirement(key=str(at(each, "key")), operator=operator, values=values)


def _toleration(each: Any) -> Toleration:
    return Toleration(
        key=text(at(each, "key")) or None,
        operator="Exists" if at(each, "operator") == "Exists" else "Equal",
        value=text(at(each, "value")),
        effect=at(each, "effect") or None,
    )


def _replicas(template: PodTemplate) -> int | None:
    """How many of these pods run at once."""
    owner = template.owner
    if owner.kind == "DaemonSet":
        return None
    match owner.kind:
        case "JobSet":
            place = template.path.partition(".template.spec.template")[0]
            jobs, job = _number(owner, f"{place}.replicas"), f"{place}.template.spec.parallelism"
            return jobs * _number(owner, job)
        case "MPIJob":
            return _number(owner, f"{template.path.removesuffix('.template')}.replicas")
        case "LeaderWorkerSet":
            groups = _number(owner, "spec.replicas")
            size = _number(owner, "spec.leaderWorkerTemplate.size")
            has_leader = at(owner.body, "spec", "leaderWorkerTemplate", "leaderTemplate") is not None
            return groups if template.path.endswith("leaderTemplate") else groups * (size - has_leader)
    return _number(owner, *REPLICA_PLACES.get(owner.kind, ()))


def _number(owner: ManifestObject, *places: str) -> int:
    """The whole number at the first place that has one, else 1."""
    found = (value for place in places for _, value in expand_indexed(owner.body, place))
    return next((value for value in found if isinstance(value, int)), 1)


def expand_indexed(body: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    """What stands at a path that may name an item of a list: ``spec.replicatedJobs[0].replicas``."""
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
    for container in template.containers():
        asked = _asked(at(container.body, "resources"))
        stays = container.place == "containers" or at(container.body, "restartPolicy") == "Always"
        for name, amount in asked.items():
            if stays:
                staying[name] = staying.get(name, 0) + amount
            else:
                largest[name] = max(largest.get(name, 0), staying.get(name, 0) + amount)
    whole = {name: max(staying.get(name, 0), largest.get(name, 0)) for name in (*staying, *largest)}
    said = {**whole, **_asked(at(template.spec, "resources"))}
    for name, amount in _amounts(at(template.spec, "overhead")).items():
        said[name] = said.get(name, 0) + amount
    return said


def _asked(resources: Any) -> dict[str, int]:
    """Requests; a resource with a limit alone asks for as much."""
    return {**_amounts(at(resources, "limits")), **_amounts(at(resources, "requests"))}


def _amounts(tree: Any) -> dict[str, int]:
    """``cpu`` in millicores, the rest in bytes or as numbers; rounded up."""
    pairs = tree.items() if isinstance(tree, Mapping) else ()
    return {name: ceil(amount_of(value) * (1000 if name == "cpu" else 1)) for name, value in pairs}

"""Whether a pod may run on a node, and why not: the scheduler's own questions, asked offline.

Asked are node selector, required node affinity, taints, resources and claims of devices (the filters NodeAffinity,
TaintToleration, NodeResourcesFit and DynamicResources,
https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins). Not asked is what depends on other pods
(pod affinity, spread) and on volumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from neuron_cluster.catalog.chart import Toleration
from neuron_cluster.kubernetes.names import INSTANCE_TYPE_LABEL
from neuron_cluster.plan.cluster_plan import TaintPlan
from neuron_cluster.schedule.amounts import at_most, in_words, measure
from neuron_cluster.schedule.claim_fit import claim_doubts, claim_misfits
from neuron_cluster.schedule.misfit import Part, UnschedulableReason
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape, Requirement

KEEPS_NOTHING_AWAY = "PREFER_NO_SCHEDULE"
SHOWN_VALUES = 3


def why_not(pod: PodShape, node: NodeShape) -> tuple[str, ...]:
    """Reasons in plain words; empty: it fits. What is not known of the node is no reason (``doubts_about``)."""
    return tuple(each.reason for each in misfits(pod, node))


def misfits(pod: PodShape, node: NodeShape) -> tuple[UnschedulableReason, ...]:
    """The same, each with what may be wrong about it."""
    found = (*_selector(pod, node), *_affinity(pod, node), *_taints(pod, node), *_resources(pod, node))
    return (*found, *claim_misfits(pod, node))


def doubts_about(pod: PodShape, node: NodeShape) -> tuple[str, ...]:
    """What the verdict does not rest on, because nothing here knows it."""
    keys = [*pod.node_selector, *(each.key for term in pod.affinity for each in term)]
    labels = [key for key in keys if key in node.doubts and key not in node.labels]
    resources = [name for name in pod.requests if name in node.doubts and name not in node.allocatable]
    known = (f"{name}: {node.doubts[name]}" for name in dict.fromkeys([*labels, *resources]))
    return (*known, *claim_doubts(pod, node))


def tolerates(tolerations: Sequence[Toleration], taint: TaintPlan) -> bool:
    """Whether one of them lets a pod onto nodes with this taint."""
    return any(
        each.effect in (None, taint.kubernetes_effect)
        and each.key in (None, taint.key)
        and (each.operator == "Exists" or (each.value or "") == taint.value)
        for each in tolerations
    )


def holds(requirement: Requirement, node: NodeShape) -> bool:
    """Whether the labels of the node meet one expression; one about a label that is not known passes."""
    value = node.labels.get(requirement.key)
    if value is None and requirement.key in node.doubts:
        return True
    match requirement.operator:
        case "In":
            return value in requirement.values
        case "NotIn":
            return value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    return _compares(requirement, value)


def _compares(requirement: Requirement, value: str | None) -> bool:
    try:
        number, bound = int(value or ""), int("".join(requirement.values))
    except ValueError:
        return False
    return number > bound if requirement.operator == "Gt" else number < bound


def _selector(pod: PodShape, node: NodeShape) -> Iterator[UnschedulableReason]:
    for key, value in pod.node_selector.items():
        has = node.labels.get(key)
        if has != value and not (has is None and key in node.doubts):
            way = f"in its node selector write {key}: {has}" if has else f"leave {key} out of its node selector"
            yield UnschedulableReason(
                f"its node selector wants {key}={value}, {_has(key, has)}", _part([key]), "selector", way
            )


def _affinity(pod: PodShape, node: NodeShape) -> Iterator[UnschedulableReason]:
    """Of several terms none of which holds, all are said: each of them is a way in."""
    broken = [[each for each in term if not holds(each, node)] for term in pod.affinity]
    if broken and all(each or not term for each, term in zip(broken, pod.affinity, strict=True)):
        ways = [" and ".join(_wish(each) for each in term) or "what no node has" for term in broken]
        keys = dict.fromkeys(each.key for term in broken for each in term)
        has = "".join(f", {_has(key, node.labels.get(key))}" for key in keys)
        yield UnschedulableReason(
            f"its affinity wants {'; or '.join(ways)}{has}", _part(keys), "affinity", _other_affinity(broken, node)
        )


def _other_affinity(broken: Sequence[Sequence[Requirement]], node: NodeShape) -> str:
    """The shortest of the broken terms, with what the nodes have."""
    keys = dict.fromkeys(each.key for each in min(broken, key=len))
    ways = (f"let it take {key}={node.labels[key]}" if key in node.labels else f"leave {key} out" for key in keys)
    return f"in its affinity {' and '.join(ways) or 'leave out the term without expressions'}"


def _part(keys: Iterable[str]) -> Part:
    return "instance_type" if INSTANCE_TYPE_LABEL in keys else "labels"


def _wish(requirement: Requirement) -> str:
    values = requirement.values
    some = ", ".join(values[:SHOWN_VALUES]) + (f", … ({len(values)} values)" if len(values) > SHOWN_VALUES else "")
    words = {
        "In": f"to be {some}" if len(values) == 1 else f"to be one of {some}",
        "NotIn": f"not to be {some}",
        "Exists": "to be there",
        "DoesNotExist": "not to be there",
        "Gt": f"above {some}",
        "Lt": f"below {some}",
    }
    return f"{requirement.key} {words[requirement.operator]}"


def _has(key: str, value: str | None) -> str:
    return f"the nodes have no label {key}" if value is None else f"the nodes have {key}={value}"


def _taints(pod: PodShape, node: NodeShape) -> Iterator[UnschedulableReason]:
    for taint in node.taints:
        if taint.effect != KEEPS_NOTHING_AWAY and not tolerates(pod.tolerations, taint):
            value = f"={taint.value}" if taint.value else ""
            words = f"it does not tolerate the taint {taint.key}{value}:{taint.kubernetes_effect}"
            way = f"add the toleration {{key: {taint.key}, operator: Exists, effect: {taint.kubernetes_effect}}}"
            yield UnschedulableReason(words, "taints", "toleration", way)


def _resources(pod: PodShape, node: NodeShape) -> Iterator[UnschedulableReason]:
    for name, asked in pod.requests.items():
        has = node.allocatable.get(name)
        if asked and has is None and name not in node.doubts:
            words = f"it asks for {in_words(name, asked)}, which the nodes do not offer"
            yield UnschedulableReason(
                words, "instance_type", "resource", f"ask for no {name}, or add a node group that offers it"
            )
        elif has is not None and asked > has:
            words = f"it asks for {in_words(name, asked)}, a node has {measure(name, max(0, has))} for it"
            doubt = None if asked > node.never_more.get(name, asked) else node.doubts.get(name)
            way = f"ask for {at_most(name, max(0, has))} at most, or add a node group that has more"
            look = "; or look at a node itself, `kubectl describe nodes`" if doubt is not None else ""
            yield UnschedulableReason(words, "instance_type", "amount", way + look, doubt)

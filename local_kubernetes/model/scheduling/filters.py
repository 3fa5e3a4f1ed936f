"""The filters of kube-scheduler that compare one pod with one node, each under the name of its plugin.

DynamicResources is in a module of its own. Filters that depend on other pods or on volumes are not evaluated
(``NOT_EVALUATED``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from local_kubernetes.model.names import FORMER_NEURON_RESOURCES, INSTANCE_TYPE_LABEL, NEURON, NEURON_RESOURCES
from local_kubernetes.model.neuron_devices import is_unpublished
from local_kubernetes.model.placement import NodeSelectorRequirement, untolerated
from local_kubernetes.model.scheduling.amounts import describe, measure, rounded_down
from local_kubernetes.model.scheduling.dynamic_resources import claim_doubts, dynamic_resources
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.reasons import GroupKey, UnschedulableReason

SHOWN_VALUES = 3


def unschedulable_reasons(pod: PodInfo, node: NodeInfo) -> tuple[UnschedulableReason, ...]:
    """Empty: the pod fits. What is unknown of the node is not a reason (``doubts_about``)."""
    return (
        *node_affinity(pod, node),
        *taint_toleration(pod, node),
        *node_resources_fit(pod, node),
        *dynamic_resources(pod, node),
    )


def doubts_about(pod: PodInfo, node: NodeInfo) -> tuple[str, ...]:
    """Labels and amounts that no source confirms, and that the pod depends on."""
    keys = [*pod.node_selector, *(each.key for term in pod.affinity for each in term)]
    labels = [key for key in keys if key in node.doubts and key not in node.labels]
    resources = [name for name in pod.requests if name in node.doubts and name not in node.allocatable]
    known = (f"{name}: {node.doubts[name]}" for name in dict.fromkeys([*labels, *resources]))
    return (*known, *claim_doubts(pod, node))


def node_affinity(pod: PodInfo, node: NodeInfo) -> Iterator[UnschedulableReason]:
    """The plugin NodeAffinity: ``nodeSelector`` and the required node affinity."""
    for key, value in pod.node_selector.items():
        has = node.labels.get(key)
        if has != value and not (has is None and key in node.doubts):
            hint = f"in its node selector write {key}: {has}" if has else f"leave {key} out of its node selector"
            message = f"its node selector requires {key}={value}, {_label(key, has)}"
            yield UnschedulableReason(message, _group_key([key]), "selector", hint)
    yield from _affinity_terms(pod, node)


def _affinity_terms(pod: PodInfo, node: NodeInfo) -> Iterator[UnschedulableReason]:
    """Yields a reason where none of several terms matches: it names all of them."""
    broken = [[each for each in term if not _matches(each, node)] for term in pod.affinity]
    if broken and all(each or not term for each, term in zip(broken, pod.affinity, strict=True)):
        terms = [
            " and ".join(_in_words(each) for each in term) or "an empty term, which matches no node" for term in broken
        ]
        keys = dict.fromkeys(each.key for term in broken for each in term)
        labels = "".join(f", {_label(key, node.labels.get(key))}" for key in keys)
        message = f"its affinity requires {'; or '.join(terms)}{labels}"
        yield UnschedulableReason(message, _group_key(keys), "affinity", _matching_affinity(broken, node))


def _matches(requirement: NodeSelectorRequirement, node: NodeInfo) -> bool:
    """Whether the node's label matches; a label whose value is not known does."""
    value = node.labels.get(requirement.key)
    return (value is None and requirement.key in node.doubts) or requirement.matches(value)


def _matching_affinity(broken: Sequence[Sequence[NodeSelectorRequirement]], node: NodeInfo) -> str:
    """The shortest of the broken terms, with the node's labels."""
    keys = dict.fromkeys(each.key for each in min(broken, key=len))
    edits = (f"allow {key}={node.labels[key]}" if key in node.labels else f"leave {key} out" for key in keys)
    return f"in its affinity {' and '.join(edits) or 'leave out the term without expressions'}"


def _group_key(labels: Iterable[str]) -> GroupKey:
    return "instance_type" if INSTANCE_TYPE_LABEL in labels else "labels"


def _in_words(requirement: NodeSelectorRequirement) -> str:
    values = requirement.values
    some = ", ".join(values[:SHOWN_VALUES]) + (f", … ({len(values)} values)" if len(values) > SHOWN_VALUES else "")
    texts = {
        "In": f"to be {some}" if len(values) == 1 else f"to be one of {some}",
        "NotIn": f"not to be {some}",
        "Exists": "to exist",
        "DoesNotExist": "not to exist",
        "Gt": f"above {some}",
        "Lt": f"below {some}",
    }
    return f"{requirement.key} {texts[requirement.operator]}"


def _label(key: str, value: str | None) -> str:
    return f"the nodes have no label {key}" if value is None else f"the nodes have {key}={value}"


def taint_toleration(pod: PodInfo, node: NodeInfo) -> Iterator[UnschedulableReason]:
    """The plugin TaintToleration."""
    for taint in untolerated(node.taints, pod.tolerations):
        hint = f"add the toleration {{key: {taint.key}, operator: Exists, effect: {taint.effect}}}"
        yield UnschedulableReason(f"does not tolerate the taint {taint}", "taints", "toleration", hint)


def node_resources_fit(pod: PodInfo, node: NodeInfo) -> Iterator[UnschedulableReason]:
    """The plugin NodeResourcesFit."""
    for name, requested in pod.requests.items():
        free = node.allocatable.get(name)
        if requested and free is None and name not in node.doubts:
            message = f"requests {describe(name, requested)}, which the nodes do not have"
            yield UnschedulableReason(message, "instance_type", "resource", _instead_of(name, node))
        elif free is not None and requested > free:
            message = f"requests {describe(name, requested)}, but a node has {measure(name, max(0, free))} free"
            doubt = None if requested > node.upper_bounds.get(name, requested) else node.doubts.get(name)
            hint = f"request {rounded_down(name, max(0, free))} at most, or add a node group that has more"
            check = "; or check a node of the cluster, `kubectl describe nodes`" if doubt is not None else ""
            yield UnschedulableReason(message, "instance_type", "amount", hint + check, doubt)


def _instead_of(name: str, node: NodeInfo) -> str:
    """Returns the hint for a resource that the nodes do not have: another request."""
    is_neuron = name in NEURON_RESOURCES or name in FORMER_NEURON_RESOURCES or is_unpublished(name)
    if is_neuron and node.claimable:
        return f"claim device class {' or '.join(node.claimable)}: a DRA driver allocates the Neuron devices"
    if name in FORMER_NEURON_RESOURCES:
        return f"no device plugin publishes {name} since Neuron SDK 2.20: request {NEURON}"
    if is_unpublished(name):
        return f"no device plugin publishes {name}: request {NEURON}"
    return f"request no {name}, or add a node group that has it"

"""Decodes a message of kube-scheduler: why no node takes a pod."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct


class Rejection(Struct, frozen=True):
    """The reason for which ``count`` nodes, or the cluster, do not have the pod."""

    seen: str
    means: str
    advice: str
    count: int | None = None


_LIST = re.compile(r"nodes are available: (.*?)(?:\.? preemption: .*|\. no new claims.*)?$", re.DOTALL)
_ENTRY = re.compile(r"(?:^|, )(\d+) (?=\D)")


class _Row(Struct, frozen=True):
    """``otherwise`` is the name where the message has none."""

    pattern: str
    means: str
    advice: str
    otherwise: str = ""


_ROWS = (
    _Row(
        r'persistentvolumeclaim "(?P<name>[^"]*)" not found',
        "the PersistentVolumeClaim {name} does not exist in the namespace",
        "create it, or install the release with a claim that exists: `{kubectl} get pvc`",
    ),
    _Row(
        r"unbound immediate PersistentVolumeClaims",
        "a PersistentVolumeClaim is not bound to a volume",
        "see its events: `{kubectl} describe pvc`",
    ),
    _Row(
        r"volume node affinity conflict|volume zone",
        "the volume is in another Availability Zone than the nodes",
        "use a claim of the zone of the node group, or one that every zone can mount",
    ),
    _Row(
        r"cannot allocate all claims|[Rr]esource ?[Cc]laim",
        "no node has free Neuron devices for the ResourceClaim of the pod",
        "see the claims and the devices: `{kubectl} get resourceclaims,resourceslices`",
    ),
    _Row(
        r"topology spread",
        "the topology spread constraints of the pod exclude these nodes",
        "compare the labels of the nodes with the constraint",
    ),
    _Row(
        r"pod anti-affinity",
        "each of these nodes has a pod of the release, which takes one node for each pod",
        "add nodes to the node group, or install the release with fewer nodes",
    ),
    _Row(
        r"didn't match pod affinity",
        "no pod that the release must be near to is on these nodes",
        "compare the labels of the nodes: that of the UltraServer may be missing",
    ),
    _Row(
        r"Insufficient (?P<name>\S+)|requests (?P<other>.+?), (?:but|which)",
        "the nodes that match have too little free of {name}",
        "see what their pods request: `{kubectl} describe nodes -l {selector}`",
        "a resource",
    ),
    _Row(r"Too many pods", "the nodes have as many pods as they may have", "remove pods of other workloads"),
    _Row(
        r"free ports",
        "a host port of the pod is in use on these nodes",
        "look for another pod with the same host port",
    ),
    _Row(
        r"node affinity/selector|its node selector|its affinity",
        "nodes do not have the labels that the pod selects ({selector})",
        "compare them: `{kubectl} get nodes --show-labels`",
    ),
    _Row(
        r"untolerated taint(?: \{(?P<name>[^:}]*))?|does not tolerate the taint (?P<other>\S+)",
        "nodes have {name}, which the pod does not tolerate",
        "see it: `{kubectl} describe nodes -l {selector}`; taints of node.kubernetes.io and karpenter.sh are of nodes "
        "that start, end or fail",
        "a taint",
    ),
    _Row(
        r"unschedulable",
        "nodes are cordoned: a drain, an update or node repair is under way",
        "see `{kubectl} get nodes`; `{kubectl} uncordon NODE` ends it",
    ),
    _Row(r"not ready", "nodes are NotReady", "see why: `{kubectl} describe node NODE`"),
    _Row(r"no nodes available|there is none", "the cluster has no node", "check the node groups"),
)
"""The filters of kube-scheduler from the last one to the first. A node reports the first filter that rejects it, so
that a late one is from the nodes that nearly fit (kubernetes/kubernetes: pkg/scheduler/framework/plugins,
pkg/scheduler/framework/types.go, FitError)."""


def rejections(message: str, selector: str, kubectl: str) -> list[Rejection]:
    """The most specific first. ``selector`` are the labels that the pod selects, ``kubectl`` is how commands begin."""
    listed = _LIST.search(message)
    parts = list(_entries(listed[1])) if listed is not None else [(None, message)]
    found = [_decoded(part, count, selector, kubectl) for count, part in parts]
    return [rejection for _, rejection in sorted(found, key=lambda pair: pair[0])]


def _entries(listed: str) -> Iterator[tuple[int | None, str]]:
    """``2 Insufficient cpu, 1 node(s) were unschedulable`` in parts."""
    starts = list(_ENTRY.finditer(listed))
    if not starts:
        yield None, listed
    for position, start in enumerate(starts):
        end = starts[position + 1].start() if position + 1 < len(starts) else len(listed)
        yield int(start[1]), listed[start.end() : end].rstrip(". ")


def _decoded(text: str, count: int | None, selector: str, kubectl: str) -> tuple[int, Rejection]:
    for rank, row in enumerate(_ROWS):
        match = re.search(row.pattern, text)
        if match is not None:
            names = match.groupdict()
            name = names.get("name") or names.get("other") or row.otherwise
            means = row.means.format(name=name, selector=selector)
            return rank, Rejection(text, means, row.advice.format(selector=selector, kubectl=kubectl), count)
    return len(_ROWS), Rejection(text, "kube-scheduler rejects the nodes", "read the message of the event", count)

"""Kueue does not admit the release: its queues are missing or stopped, the quota is in use, a check is open.

Source: kubernetes-sigs/kueue@ff69552, apis/kueue/v1beta2, pkg/controller/core/workload_controller.go,
pkg/controller/core/localqueue_controller.go, pkg/scheduler/flavorassigner/flavorassigner.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from local_kubernetes.model.fields import at, items, text, text_pairs, whole_number
from local_kubernetes.model.names import NEURON, NEURON_CORE
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    Condition,
    Object,
    conditions_of,
    holds,
    name_of,
    namespace_of,
    owners_of,
    place_of,
)
from neuron_cluster.schedulers.kubernetes.running.controller_kind import is_finished
from neuron_cluster.schedulers.kubernetes.running.situation import PENDING, RUNNING, Situation

KUEUE_GROUP = "kueue.x-k8s.io"
HOLDS = ("Hold", "HoldAndDrain")
_SHORT = re.compile(r"insufficient (?:unused )?quota for (\S+) in flavor ([^\s,]+)")
_BEYOND = re.compile(
    r"(?:previously considered podsets requests \((?P<before>\d+)\) \+ )?current podset request \((?P<now>\d+)\) > "
    r"maximum capacity \((?P<most>\d+)\)"
)
_NOT_COVERED = re.compile(r"resource (\S+) unavailable in ClusterQueue")
EVICTION_TAKES = 600.0
"""Seconds after which an eviction without pods counts as stuck: Kueue gives the quota back when the pods are gone."""
MANY_EVICTIONS = 3
LONGEST_LIST = 5
"""Workloads that are named."""


def queue_causes(situation: Situation) -> Iterator[Cause]:
    release, state = situation.release, situation.state
    if not release.queue or all(is_finished(body) for body in release.controllers):
        return
    if KUEUE_GROUP not in state.groups:
        do = "set kueue: true below addons in the environment file, and deploy"
        yield _cause(situation, "the cluster does not serve its API", "Kueue is not installed", do)
        return
    active = [body for body in release.workloads if at(body, "spec", "active") is not False]
    waiting = [body for body in active if not holds(body, "Admitted") and not holds(body, "Finished")]
    if waiting or not release.workloads:
        yield from _queue(situation)
    for workload in active:
        if is_stuck(workload, situation):
            yield _stuck(workload, situation)
        elif workload in waiting:
            yield from _waiting(workload, situation)
        elif not holds(workload, "Finished"):
            yield from _admitted_again(workload)
    if not release.workloads and state.may_read("workloads") and not release.pods:
        yield _cause(
            situation,
            "no Workload belongs to the release",
            "Kueue does not manage the job: its controller does not run, or does not manage the namespace",
            f"see whether it runs: `{situation.kubectl} -n kueue-system get pods`",
        )


def _cause(situation: Situation, seen: str, means: str, do: str, condition: Condition | None = None) -> Cause:
    about = f"LocalQueue {situation.release.queue}"
    since = condition.since if condition is not None else None
    return Cause(stage=Stage.QUEUE, about=about, seen=seen, means=means, do=(do,), since=since)


def _queue(situation: Situation) -> Iterator[Cause]:
    """The LocalQueue, then its ClusterQueue."""
    release, state, here = situation.release, situation.state, situation.here
    local = state.named("LocalQueue", release.queue)
    if local is None:
        if state.may_read("localqueues"):
            known = ", ".join(name_of(body) for body in state.of_kind("LocalQueue")) or "none"
            means = f"namespace {release.namespace} has no LocalQueue {release.queue} (it has: {known})"
            do = "install the release with one of these queues, or add the namespace to the environment file"
            yield _cause(situation, "it does not exist", means, do)
        return
    if at(local, "spec", "stopPolicy") in HOLDS:
        start = f"{here} patch localqueues.{KUEUE_GROUP} {release.queue} --type merge --patch "
        yield _cause(
            situation,
            f"spec.stopPolicy is {at(local, 'spec', 'stopPolicy')}",
            "the LocalQueue was stopped: it admits nothing",
            f'start it: `{start}\'{{"spec": {{"stopPolicy": "None"}}}}\'`',
        )
    name = text(at(local, "spec", "clusterQueue")) or ""
    cluster = state.named("ClusterQueue", name)
    if cluster is not None:
        yield from _cluster_queue(cluster, situation)
    elif state.may_read("clusterqueues"):
        means = f"its ClusterQueue {name} does not exist"
        yield _cause(situation, means, means, "deploy the environment again, which creates it")


def _cluster_queue(body: Object, situation: Situation) -> Iterator[Cause]:
    active = conditions_of(body).get("Active")
    policy = at(body, "spec", "stopPolicy")
    if policy not in HOLDS and (active is None or active.is_true):
        return
    start = f"{situation.kubectl} patch clusterqueues.{KUEUE_GROUP} {name_of(body)} --type merge --patch "
    stopped = f'start it: `{start}\'{{"spec": {{"stopPolicy": "None"}}}}\'`'
    yield Cause(
        stage=Stage.QUEUE,
        about=place_of(body),
        seen=f"spec.stopPolicy is {policy}" if policy in HOLDS else active.text if active is not None else "",
        means="the ClusterQueue was stopped: it admits nothing" if policy in HOLDS else "the ClusterQueue is inactive",
        do=(stopped if policy in HOLDS else f"`{situation.kubectl} describe clusterqueue {name_of(body)}`",),
        since=active.since if active is not None else None,
    )


def _waiting(workload: Object, situation: Situation) -> Iterator[Cause]:
    conditions = conditions_of(workload)
    evicted, quota = conditions.get("Evicted"), conditions.get("QuotaReserved")
    if evicted is not None and evicted.is_true:
        yield _evicted(workload, evicted, situation)
    if holds(workload, "QuotaReserved"):
        yield from _checks(workload, situation)
    elif quota is not None and _SHORT.search(quota.message):
        yield _short_quota(workload, quota, situation)
    elif quota is not None and (found := _NOT_COVERED.search(quota.message)):
        yield _of(workload, quota.text, *_not_covered(found[1], situation), quota)
    elif quota is not None and not re.search(r"Queue \S+ (?:is |doesn't)", quota.message):
        means = "Kueue does not reserve quota for the Workload"
        yield _of(workload, quota.text, means, _describe(workload, situation), quota)


def _of(workload: Object, seen: str, means: str, do: str, condition: Condition, stage: Stage = Stage.QUEUE) -> Cause:
    return Cause(stage=stage, about=place_of(workload), seen=seen, means=means, do=(do,), since=condition.since)


def _not_covered(resource: str, situation: Situation) -> tuple[str, str]:
    """Returns meaning and advice for a resource that a ClusterQueue does not count."""
    means = f"queue {situation.release.queue} does not count {resource}: Kueue never admits the Workload"
    if resource == NEURON_CORE:
        return means, f"request whole devices instead ({NEURON}), and install the release again"
    return means, f"request no {resource}, or install the release without a queue"


def _describe(workload: Object, situation: Situation) -> str:
    return f"read its events: `{situation.here} describe workload {name_of(workload)}`"


def _short_quota(workload: Object, quota: Condition, situation: Situation) -> Cause:
    resource, flavor = _SHORT.search(quota.message).groups()  # type: ignore[union-attr]  # the caller searched
    if (beyond := _BEYOND.search(quota.message)) is not None:
        requested = sum(map(int, filter(None, (beyond["before"], beyond["now"]))))
        means = (
            f"it never fits: {requested} {resource} requested, at most {beyond['most']} (quota and what is borrowed)"
        )
        do = "request fewer nodes or devices, or raise quota or borrow of the team or count.desired, and deploy"
        return _of(workload, quota.text, means, do, quota)
    local = situation.state.named("LocalQueue", situation.release.queue)
    cluster = text(at(local, "spec", "clusterQueue")) or ""
    users = list(_users(cluster, resource, situation))
    used = "; ".join(users[:LONGEST_LIST]) or "no other admitted Workload that can be read"
    more = f" and {len(users) - LONGEST_LIST} more" if len(users) > LONGEST_LIST else ""
    pending = at(local, "status", "pendingWorkloads")
    queue = f"; {pending} Workloads wait in the queue" if pending else ""
    return _of(
        workload,
        quota.text,
        f"the quota of {resource} (flavor {flavor}) of ClusterQueue {cluster} is in use by: {used}{more}{queue}",
        "wait, stop one of them, or raise count.desired of a node group of the queue and deploy",
        quota,
    )


def _users(cluster: str, resource: str, situation: Situation) -> Iterator[str]:
    """Admitted Workloads of the ClusterQueue, with what they use of the resource."""
    for body in situation.state.others:
        admission = at(body, "status", "admission")
        if at(admission, "clusterQueue") != cluster or holds(body, "Finished"):
            continue
        assigned = items(at(admission, "podSetAssignments"))
        used = [found for each in assigned if (found := text_pairs(at(each, "resourceUsage")).get(resource))]
        if used:
            owner = next((name for _, name in owners_of(body)), name_of(body))
            yield f"{namespace_of(body)}/{owner} ({' + '.join(used)})"


def _checks(workload: Object, situation: Situation) -> Iterator[Cause]:
    for check in items(at(workload, "status", "admissionChecks")):
        if at(check, "state") != "Ready":
            message = text(at(check, "message")) or ""
            yield Cause(
                stage=Stage.QUEUE,
                about=place_of(workload),
                seen=f"admission check {at(check, 'name')} is {at(check, 'state')}"
                + (f": {message}" if message else ""),
                means="quota is reserved, and the admission check is open",
                do=(_describe(workload, situation),),
                since=text(at(check, "lastTransitionTime")),
            )


def _evicted(workload: Object, evicted: Condition, situation: Situation) -> Cause:
    again = text(at(workload, "status", "requeueState", "requeueAt"))
    later = f"; it is queued again at {again}" if again else ""
    match evicted.reason:
        case "PodsReadyTimeout":
            means = f"its pods were not Ready within the time of waitForPodsReady{later}"
            do = "find out why they were not Ready: the causes and events listed here, images and nodes first"
            return _of(workload, evicted.text, means, do, evicted, Stage.EVICTION)
        case "Preempted":
            means = f"a Workload of a higher priority, or one that reclaims its quota, took the place{later}"
            return _of(workload, evicted.text, means, "wait until it ends, or raise the priority class", evicted)
        case "NodeFailures":
            means = f"nodes of the job failed{later}"
            return _of(workload, evicted.text, means, f"see the nodes: `{situation.kubectl} get nodes`", evicted)
    return _of(workload, evicted.text, f"Kueue evicted it{later}", _describe(workload, situation), evicted)


def is_stuck(workload: Object, situation: Situation) -> bool:
    """Whether an eviction has ended and the Workload keeps its quota: no pod is there, and no later try is due.

    Source: kubernetes-sigs/kueue#14811 (Evicted, QuotaReserved and Admitted are True at once, for hours).
    """
    evicted = conditions_of(workload).get("Evicted")
    if evicted is None or not evicted.is_true or not holds(workload, "QuotaReserved") or holds(workload, "Finished"):
        return False
    if any(text(at(pod, "status", "phase")) in (PENDING, RUNNING) for pod in situation.release.pods):
        return False
    due = text(at(workload, "status", "requeueState", "requeueAt"))
    return situation.state.seconds_since(due or evicted.since) > (0.0 if due else EVICTION_TAKES)


def _stuck(workload: Object, situation: Situation) -> Cause:
    evicted = conditions_of(workload)["Evicted"]
    states = " and ".join(kind for kind in ("Evicted", "QuotaReserved", "Admitted") if holds(workload, kind))
    due = text(at(workload, "status", "requeueState", "requeueAt"))
    again = f", requeueAt {due} is past" if due else ""
    delete = f"`{situation.here} delete workloads.{KUEUE_GROUP} {name_of(workload)}`"
    return _of(
        workload,
        f"{states} are True at once{again}, and no pod runs; {evicted.text}",
        "the eviction did not end: the Workload holds quota that no pod uses, and Kueue does not queue it again",
        f"delete it, and Kueue creates it again: {delete}; or stop and start the release",
        evicted,
        Stage.EVICTION,
    )


def _admitted_again(workload: Object) -> Iterator[Cause]:
    """Admitted, after as many evictions as show that the next try ends like the last one.

    Source: kubernetes-sigs/kueue#12656, #10407. Without ``backoffLimitCount`` Kueue tries without end.
    """
    count = whole_number(at(workload, "status", "requeueState", "count")) or 0
    ready = conditions_of(workload).get("PodsReady")
    if count < MANY_EVICTIONS or (ready is not None and ready.is_true):
        return
    admitted = conditions_of(workload)["Admitted"]
    yield _of(
        workload,
        f"requeueState.count is {count}: evicted {count} times, and admitted again",
        "its pods were not Ready in time at each try, and Kueue tries again without end",
        "stop the release, and find out why its pods are not Ready: the causes and events listed here, images and "
        "nodes first",
        admitted,
        Stage.EVICTION,
    )

"""Nodes of HyperPod groups: started until each group has its target, and gone when it is lower.

Without continuous provisioning all nodes of a request start, or none. With it a cluster is in service before it has
nodes, and those that do not start are started when there is a reason to.
Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from local_aws.clock import CLOCK
from local_aws.contract import Call, Unhealthy
from local_aws.services.sagemaker.capacity import PLAN, machines_left, note_scarcity
from local_aws.services.sagemaker.cluster_rows import (
    AWAITED,
    FAILED,
    GROUPS,
    NAME,
    NODES,
    WAITING,
    Row,
    by_name,
    is_continuous,
    types_of,
)
from local_aws.services.sagemaker.events import record
from local_aws.services.sagemaker.instances import CHECKS, fail_node, new_logical_id, start_node
from local_aws.services.sagemaker.node_problems import CAPACITY, problem_of

IN_SERVICE, DEGRADED = "InService", "Degraded"
MINIMUM_WITHIN = timedelta(hours=3)
"""The time after which a group that has fewer nodes than its minimum gets its previous count."""
FIRST_NODES = ("Controller", "Login")
"""Types of Slurm nodes whose minimum is 1, and without which no cluster is in service.
Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-slurm.html"""


def start_cluster(call: Call, cluster: Row) -> None:
    """Starts the nodes of a new cluster, which fails where they do not start."""
    record(cluster, f"Cluster {cluster['ClusterName']} is created")
    _record_groups(cluster, {})
    if is_continuous(cluster):
        for group in cluster[GROUPS]:
            await_nodes(cluster, group, 0)
        fill(call, cluster)
        lacking = [group for group in cluster[GROUPS] if _of_slurm(group) and group["CurrentCount"] < minimum_of(group)]
        failure = cluster[WAITING][lacking[0][NAME]]["reason"] if lacking else None
    elif failure := _failure(call, cluster):
        _count(cluster)
    else:
        _launch_all(call, cluster)
    if failure:
        cluster |= {"ClusterStatus": FAILED, "FailureMessage": failure}
        for group in cluster[GROUPS]:
            group["Status"] = FAILED
        record(cluster, f"Cluster {cluster['ClusterName']} failed", level="Error", failure=failure)


def change_cluster(call: Call, before: Row, cluster: Row) -> None:
    """Starts and ends nodes for the groups after an update, which are those before it where nodes do not start.

    Inferred: that all of the update is taken back, and that the cluster is in service then.
    """
    old, new = by_name(before[GROUPS]), by_name(cluster[GROUPS])
    _record_groups(cluster, old)
    for name in old.keys() - new.keys():
        record(cluster, f"Instance group {name} is deleted", group=name)
    _end(cluster)
    if is_continuous(cluster):
        cluster[WAITING] = {name: wait for name, wait in cluster[WAITING].items() if name in new}
        for name, group in new.items():
            if name not in old or group["TargetCount"] != old[name]["TargetCount"]:
                await_nodes(cluster, group, old[name]["TargetCount"] if name in old else 0)
        fill(call, cluster)
    elif failure := _failure(call, cluster):
        cluster |= {GROUPS: before[GROUPS], NODES: before[NODES], AWAITED: {}, "FailureMessage": failure}
    else:
        _launch_all(call, cluster)


def await_nodes(cluster: Row, group: Row, previous: int) -> None:
    """The group has another target from now on; ``previous`` is what it goes back to."""
    waiting = cluster[WAITING].get(group[NAME], {})
    cluster[WAITING][group[NAME]] = {
        "since": CLOCK.now(),
        "previous": waiting.get("previous", previous),
        "reason": None,
    }


def fill(call: Call, cluster: Row) -> None:
    """Starts the nodes that groups with continuous provisioning miss, and gives up where the time is over."""
    for group in cluster[GROUPS]:
        _fill(call, cluster, group)
    _count(cluster)


def nodes_of(cluster: Row, name: str) -> dict[str, Row]:
    return {key: node for key, node in cluster[NODES].items() if node[NAME] == name}


def minimum_of(group: Row) -> int:
    """The nodes without which a group is not taken to have its target."""
    return int(group.get("MinCount", 1 if _of_slurm(group) else 0))


def _of_slurm(group: Row) -> bool:
    return group.get("SlurmConfig", {}).get("NodeType") in FIRST_NODES


def _fill(call: Call, cluster: Row, group: Row) -> None:
    name, missing = group[NAME], _queue(cluster, group)
    problem = problem_of(call, cluster, group) if missing else None
    if not problem:
        _launch(call, cluster, group)
    group["Status"] = DEGRADED if problem else IN_SERVICE
    waiting = len(cluster[AWAITED].get(name, []))
    reason = problem or (CAPACITY if waiting else None)
    if reason is None:
        cluster[WAITING].pop(name, None)
        return
    if name not in cluster[WAITING]:
        await_nodes(cluster, group, group["TargetCount"])
    wait = cluster[WAITING][name]
    if wait["reason"] != reason:
        wait["reason"] = reason
        if reason == CAPACITY:
            note_scarcity(call, group)
        _record_scaling(cluster, group, f"Instance group {name} waits for {waiting} nodes", "Warn", reason)
    is_late = CLOCK.now() >= wait["since"] + MINIMUM_WITHIN
    if is_late and len(nodes_of(cluster, name)) < minimum_of(group):
        group["TargetCount"] = wait["previous"]
        del cluster[WAITING][name]
        _end(cluster)
        _record_scaling(cluster, group, f"Instance group {name} is back at {wait['previous']} nodes", "Error", reason)


def _failure(call: Call, cluster: Row) -> str | None:
    """Why the groups do not all get their nodes; None where they do."""
    wanted: Counter[str] = Counter()
    for group in cluster[GROUPS]:
        missing = group["TargetCount"] - len(nodes_of(cluster, group[NAME]))
        if missing <= 0:
            continue
        if problem := problem_of(call, cluster, group):
            return problem
        if fault := _failing_checks(call, group):
            fault.injected += 1
            return CHECKS
        if group.get(PLAN):
            continue
        instance_type = types_of(group)[0]
        wanted[instance_type] += missing
        if wanted[instance_type] > machines_left(call, cluster, group, instance_type, wanted.total()):
            note_scarcity(call, group)
            return CAPACITY
    return None


def _failing_checks(call: Call, group: Row) -> Unhealthy | None:
    """The fault of the deep health checks of new nodes; None where they pass, and for a group without any."""
    return call.store.unhealthy.get(group[NAME]) if group.get("OnStartDeepHealthChecks") else None


def _launch_all(call: Call, cluster: Row) -> None:
    for group in cluster[GROUPS]:
        _queue(cluster, group)
        _launch(call, cluster, group)
    _count(cluster)


def _queue(cluster: Row, group: Row) -> int:
    """As many nodes of the group are awaited as its target misses; returns how many."""
    missing: int = max(0, group["TargetCount"] - len(nodes_of(cluster, group[NAME])))
    awaited = cluster[AWAITED].pop(group[NAME], [])[:missing]
    awaited += [{"NodeLogicalId": new_logical_id()} for _ in range(missing - len(awaited))]
    if awaited:
        cluster[AWAITED][group[NAME]] = awaited
    return missing


def _launch(call: Call, cluster: Row, group: Row) -> None:
    """Starts those of the awaited nodes for which there are machines."""
    awaited = cluster[AWAITED].pop(group[NAME], [])
    left = {name: machines_left(call, cluster, group, name, len(awaited)) for name in types_of(group)}
    waiting = []
    for each in awaited:
        found = next((name for name in each.get("InstanceTypes", types_of(group)) if left[name] > 0), None)
        if found is None:
            waiting.append(each)
            continue
        left[found] -= 1
        node = start_node(cluster, group, found, each["NodeLogicalId"])
        if fault := _failing_checks(call, group):
            fault.injected += 1
            fail_node(cluster, node, CHECKS)
    if waiting:
        cluster[AWAITED][group[NAME]] = waiting


def _end(cluster: Row) -> None:
    """The newest nodes of groups with more than their target are gone, and so are nodes without a group."""
    targets = {group[NAME]: group["TargetCount"] for group in cluster[GROUPS]}
    kept: dict[str, Row] = {}
    counts: Counter[str] = Counter()
    for key, node in cluster[NODES].items():
        counts[node[NAME]] += 1
        if counts[node[NAME]] <= targets.get(node[NAME], 0):
            kept[key] = node
        else:
            record(cluster, "The instance is terminated", group=node[NAME], node=key)
    cluster[NODES] = kept
    cluster[AWAITED] = {name: awaited for name, awaited in cluster[AWAITED].items() if name in targets}
    for group in cluster[GROUPS]:
        _queue(cluster, group)


def _count(cluster: Row) -> None:
    counts = Counter(node[NAME] for node in cluster[NODES].values())
    for group in cluster[GROUPS]:
        group["CurrentCount"] = counts[group[NAME]]
        group.pop("ActiveOperations", None)
        if is_continuous(cluster) and group["CurrentCount"] < group["TargetCount"]:
            group["ActiveOperations"] = {"Scaling": 1}


def _record_groups(cluster: Row, before: dict[str, Row]) -> None:
    for group in cluster[GROUPS]:
        if group[NAME] not in before:
            record(cluster, f"Instance group {group[NAME]} is created", group=group[NAME])
        elif group["TargetCount"] != before[group[NAME]]["TargetCount"]:
            record_target(cluster, group)


def record_target(cluster: Row, group: Row) -> None:
    """Adds an event of a group that has another target."""
    text = f"Instance group {group[NAME]} scales to {group['TargetCount']} nodes"
    record(cluster, text, group=group[NAME], scaling=_scaling(cluster, group))


def _record_scaling(cluster: Row, group: Row, text: str, level: str, failure: str) -> None:
    scaling = _scaling(cluster, group)
    if level == "Error":
        record(cluster, text, level="Error", group=group[NAME], failure=failure, scaling=scaling)
    else:
        record(cluster, text, level="Warn", group=group[NAME], failure=failure, scaling=scaling)


def _scaling(cluster: Row, group: Row) -> Row:
    counts = {"InstanceCount": len(nodes_of(cluster, group[NAME])), "TargetCount": group["TargetCount"]}
    return {**counts, **({"MinCount": group["MinCount"]} if "MinCount" in group else {})}

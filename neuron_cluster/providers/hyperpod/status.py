"""The state of a HyperPod cluster for `status`: the cluster, its instance groups and their nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, Verdict, error, healthy, warning
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan, InstanceGroupPlan

IN_SERVICE, RUNNING = "InService", "Running"
IN_PROGRESS = ("Creating", "Updating", "SystemUpdating", "Deleting", "RollingBack")
STARTING = ("Pending", "DeepHealthCheckInProgress", "SystemUpdating", "ShuttingDown")
CLUSTER, GROUPS = "HyperPod cluster", "Instance groups"
EVENTS = 50
"""How many of the newest events are read for the reason why nodes are missing."""


def hyperpod_status(query: StatusQuery) -> Sequence[StatusSection]:
    """Without the cluster there is one line, as nothing of it is there either."""
    plan = query.plan.provider(HyperPodPlan)
    if plan is None:
        return ()
    cluster = reading("sagemaker", lambda: hyperpod.cluster(query.access.target, plan.name))
    if cluster is None:
        cause = "the cluster does not exist, nor do its instance groups"
        return (StatusSection(CLUSTER, (error(plan.name, cause, query.toolkit_command("deploy")),)),)
    if isinstance(cluster, NotRead):
        return tuple(StatusSection(title, (query.not_read(plan.name, cluster),)) for title in (CLUSTER, GROUPS))
    return (
        StatusSection(CLUSTER, tuple(_cluster(query, plan, cluster))),
        StatusSection(GROUPS, tuple(_groups(query, plan, cluster))),
    )


def _cluster(query: StatusQuery, plan: HyperPodPlan, cluster: hyperpod.HyperPodCluster) -> Iterator[StatusLine]:
    command = query.access.aws_command("sagemaker describe-cluster", cluster_name=cluster.name)
    if cluster.status not in (IN_SERVICE, *IN_PROGRESS):
        yield error(cluster.name, f"{cluster.status}: {cluster.failure or 'SageMaker gives no reason'}", command)
    elif cluster.status != IN_SERVICE:
        yield warning(cluster.name, f"it is {cluster.status}", command)
    else:
        yield healthy(cluster.name, f"{cluster.status}, node recovery {cluster.recovery.lower()}")
    if (cluster.recovery == "Automatic") is not plan.has_recovery:
        wanted = "Automatic" if plan.has_recovery else "None"
        again = query.access.aws_command("sagemaker update-cluster", cluster_name=cluster.name, node_recovery=wanted)
        yield warning("node recovery", f"it is {cluster.recovery}, the file has {wanted}", again)


def _groups(query: StatusQuery, plan: HyperPodPlan, cluster: hyperpod.HyperPodCluster) -> Iterator[StatusLine]:
    found = {group.name: group for group in cluster.groups}
    nodes = reading("sagemaker", lambda: hyperpod.nodes(query.access.target, cluster.name))
    for planned in plan.instance_groups:
        group = found.get(planned.physical_name)
        if group is None:
            yield error(planned.name, "the instance group does not exist", query.toolkit_command("deploy"))
            continue
        if isinstance(nodes, NotRead):
            line = _group(query, cluster, planned, group, nodes)
            yield query.not_read(planned.name, nodes) if line.verdict is Verdict.HEALTHY else line
            continue
        own = [node for node in nodes if node.group == group.name]
        yield _group(query, cluster, planned, group, own)
        yield from (_failed(query, planned, node) for node in own if node.status not in (RUNNING, *STARTING))
    for name in sorted(found.keys() - {group.physical_name for group in plan.instance_groups}):
        command = query.access.aws_command(
            "sagemaker update-cluster", cluster_name=cluster.name, instance_groups_to_delete=name
        )
        yield warning(
            name, f"the file has no such instance group; it has {counted(found[name].current, 'node')}", command
        )


def _group(
    query: StatusQuery,
    cluster: hyperpod.HyperPodCluster,
    planned: InstanceGroupPlan,
    group: hyperpod.InstanceGroupState,
    nodes: Sequence[hyperpod.NodeState] | NotRead,
) -> StatusLine:
    states = Counter(() if isinstance(nodes, NotRead) else (node.status for node in nodes))
    by_state = ", ".join(f"{states[state]} {state}" for state in sorted(states))
    text = f"{group.current} of {planned.desired} nodes{f' ({by_state})' if by_state else ''}"
    events = query.access.aws_command("sagemaker list-cluster-events", cluster_name=cluster.name)
    if group.status not in (IN_SERVICE, *IN_PROGRESS):
        return error(planned.name, f"{group.status}: {text}{_why(query, cluster, group)}", events)
    if group.target != planned.desired:
        cause = f"its target is {group.target} nodes, the file has {planned.desired}"
        return warning(planned.name, cause, query.toolkit_command("drift"))
    if group.current < planned.desired:
        return warning(planned.name, f"{text}{_why(query, cluster, group)}", events)
    running = group.current if isinstance(nodes, NotRead) else states[RUNNING]
    if group.status != IN_SERVICE or running < group.current:
        return warning(planned.name, f"{group.status}: {text}", events)
    release = planned.image.release
    if release is not None and group.current > 0 and release != group.release:
        cause = f"its nodes run AMI release {group.release or 'of no known version'}, the file has {release}"
        return warning(planned.name, f"{cause}; the update drains no node", _update(query, cluster, group, release))
    return healthy(planned.name, f"{text}, AMI release {group.release}" if group.release else text)


def _update(
    query: StatusQuery, cluster: hyperpod.HyperPodCluster, group: hyperpod.InstanceGroupState, release: str
) -> str:
    """The command for a release that the template has: CloudFormation calls SageMaker for an edit of it only."""
    return query.access.aws_command(
        "sagemaker update-cluster-software",
        cluster_name=cluster.name,
        instance_groups=f"InstanceGroupName={group.name},ImageReleaseVersion={release}",
    )


def _why(query: StatusQuery, cluster: hyperpod.HyperPodCluster, group: hyperpod.InstanceGroupState) -> str:
    """The newest warning or error of the group, as HyperPod reports it; empty without one."""
    found = reading("sagemaker", lambda: hyperpod.events(query.access.target, cluster.name, most=EVENTS))
    if isinstance(found, NotRead):
        return f"; its events were not read: {found.reason}"
    worst = next((event for event in found if event.group == group.name and event.level != "Info"), None)
    return f": {worst.text} ({worst.at:%Y-%m-%d %H:%M} UTC)" if worst is not None else ""


def _failed(query: StatusQuery, planned: InstanceGroupPlan, node: hyperpod.NodeState) -> StatusLine:
    command = f"{query.toolkit_command('node replace')} {node.id}"
    return error(f"{planned.name} {node.id}", f"{node.status}: {node.message or 'SageMaker gives no reason'}", command)

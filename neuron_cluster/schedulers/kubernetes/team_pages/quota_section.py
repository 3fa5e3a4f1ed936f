"""Queues, quotas, borrowing and priorities of a team, for its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from local_kubernetes.model.names import GROUP_LABEL
from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.findings.text import counted
from neuron_cluster.pages.document import Paragraph, Section
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.job_priority import JobPriority
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.team_pages.shares import GroupShare
from neuron_cluster.table import Table

PRIORITY = "WorkloadPriorityClass"
QUOTA = "ResourceQuota"
COLUMNS = (
    "queue",
    "ClusterQueue",
    "node group",
    "quota: devices",
    "quota: NeuronCores",
    "admitted now: devices",
    "may borrow now",
    "lends at most",
)


def quota_section(
    shares: Sequence[GroupShare],
    own: Sequence[GroupShare],
    cluster: KubernetesPlan,
    team: Team,
    classes: Sequence[JobPriority],
) -> Section:
    """``own``: node groups of the team alone."""
    return Section("Queues and quota", (*_blocks(shares, cluster, team, classes), *_own_groups(own)))


def priorities(plan: ClusterPlan, cluster: KubernetesPlan) -> tuple[JobPriority, ...]:
    """Returns the priority classes of jobs: those of the toolkit's Kueue, else those of a service."""
    own = [body for each in cluster.manifests for body in each.objects if body["kind"] == PRIORITY]
    made = tuple(JobPriority(KubernetesObject(each, "").name, each["value"], each["description"]) for each in own)
    return made or tuple(each for provider in plan.providers for each in provider.job_priorities())


def _blocks(
    shares: Sequence[GroupShare], cluster: KubernetesPlan, team: Team, classes: Sequence[JobPriority]
) -> Iterator[Paragraph | Table]:
    if not shares and cluster.is_governed:
        yield Paragraph("The team has no compute quota of HyperPod (`teams[].quota`): its jobs never start.")
        return
    if not shares:
        yield Paragraph(
            "No node group with Neuron devices has a queue that the team may use (`queue` of a node group)."
        )
        return
    if not any(share.at_maximum.most for share in shares):
        yield Paragraph(
            "The team has no devices and can borrow none: its jobs never start. Ask the contact of this page."
        )
    elif all(share.borrows_alone for share in shares):
        yield Paragraph(
            "The team has no quota (`teams[].quota`): its jobs run on devices that other teams leave idle, and are "
            "stopped when those teams need them."
        )
    note = (
        "Quota counts Neuron devices with all nodes of `count.max`; admitted now is the same fraction of the devices "
        "of `count.desired`, which run after a deploy."
    )
    yield Table("Neuron devices", COLUMNS, tuple(map(_row, shares)), note)
    yield Paragraph(
        "A job names its queue in the label `kueue.x-k8s.io/queue-name`. Kueue starts it when its whole request is "
        "free in the quota, or idle at other teams within what may be borrowed. When a team needs devices of its "
        "quota, Kueue stops jobs that borrow them, of any priority. "
        f"When several teams borrow, this one has the weight {team.weight}."
    )
    if cluster.is_governed:
        yield Paragraph(
            "Task governance of HyperPod manages the queue: each pod has the label too, also in the template of a job, "
            "or is rejected. All pods of a job need not be ready at a time: Kueue does not stop a job that waits for "
            "nodes."
        )
    yield from _cores(shares)
    yield _priorities(classes)
    yield from _limits(cluster, team)


def _own_groups(own: Sequence[GroupShare]) -> Iterator[Table]:
    columns = ("node group", "nodes now", "nodes at most", "devices of a node", "taints")
    if own:
        rows = tuple(map(_own_row, own))
        note = f"Without a queue. Pods name the group in `nodeSelector` (`{GROUP_LABEL}`) and tolerate the taints."
        yield Table("Node groups of the team alone", columns, rows, note)


def _own_row(share: GroupShare) -> tuple[str, ...]:
    group = share.group
    return (
        f"{group.name} ({group.machine.instance_type})",
        str(group.desired),
        str(group.known_maximum),
        str(share.node_devices),
        ", ".join(f"`{taint.key}={taint.value}`" for taint in group.lasting_taints),
    )


def _row(share: GroupShare) -> tuple[str, ...]:
    quota, running = share.at_maximum.quota, share.running
    lent = share.given.lend if share.given is not None else None
    return (
        f"`{share.queue}`",
        f"`{share.cluster_queue}`",
        f"{share.group.name} ({share.group.machine.instance_type})",
        str(quota),
        str(quota * share.cores_per_device) if share.cores_per_device else "not known",
        str(running.quota),
        str(running.borrowed),
        "all" if lent is None else str(lent),
    )


def _cores(shares: Sequence[GroupShare]) -> Iterator[Paragraph]:
    for share in shares:
        if share.cores_per_device:
            lnc = share.group.machine.logical_nc_config
            at = f" at LNC {lnc}" if lnc else ""
            devices = counted(share.node_devices, "Neuron device")
            cores = counted(share.cores_per_device, "NeuronCore") + (" each" if share.node_devices > 1 else "")
            yield Paragraph(
                f"A node of {share.group.name} has {devices} with {cores}{at}. Pods request devices; a program sees "
                "their cores."
            )


def _priorities(classes: Sequence[JobPriority]) -> Table:
    rows = tuple((f"`{each.name}`", str(each.weight), each.effect) for each in classes)
    return Table(
        "Priority classes",
        ("class", "value", "effect"),
        rows,
        "A job has the class of its label `kueue.x-k8s.io/priority-class`.",
    )


def _limits(cluster: KubernetesPlan, team: Team) -> Iterator[Table]:
    rows = [
        (f"`{body['metadata']['namespace']}`", f"`{name}`", str(amount))
        for manifest in cluster.team_manifests
        for body in manifest.objects
        if body["kind"] == QUOTA
        and body["metadata"]["namespace"] in team.namespaces
        and "scopeSelector" not in body["spec"]
        for name, amount in body["spec"]["hard"].items()
    ]
    yield Table(
        "Most that pods of a namespace request together (ResourceQuota)", ("namespace", "resource", "most"), tuple(rows)
    )

"""The state of an EKS cluster for `status`: control plane, add-ons, access. ``group_status`` has its node groups."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from neuron_cluster.aws import eks_state
from neuron_cluster.aws.reading import NotRead, reading, readings
from neuron_cluster.plan.addon_plan import AddonPlan
from neuron_cluster.protocol.status import (
    StatusLine,
    StatusQuery,
    StatusSection,
    error,
    healthy,
    warning,
)
from neuron_cluster.providers.eks.access_status import access_lines
from neuron_cluster.providers.eks.differences import addon_creation, endpoint_differences
from neuron_cluster.providers.eks.group_status import group_lines
from neuron_cluster.providers.eks.health_words import ADDON, CLUSTER, issue_command, issue_words
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

ACTIVE = "ACTIVE"
IN_PROGRESS = ("CREATING", "UPDATING", "DELETING", "PENDING")
CONTROL_PLANE = "Control plane"
NOT_LOOKED_AT_NODES = "conditions of nodes, pods and queues in Kubernetes (`kubectl get nodes`)"


def eks_status(query: StatusQuery) -> Sequence[StatusSection]:
    """Reads by the names of the plan. Without the cluster there is one line, as nothing of it is there either."""
    section = query.plan.provider(EksPlan)
    if section is None:
        return ()
    cluster = reading("eks", lambda: eks_state.cluster_state(query.access.target, section.name))
    if cluster is None:
        cause = "the cluster does not exist, nor do its add-ons, access entries and node groups"
        line = error(section.name, cause, query.toolkit_command("deploy"))
        return (StatusSection(CONTROL_PLANE, (line,)),)
    return (
        StatusSection(CONTROL_PLANE, tuple(_control_plane(query, section, cluster))),
        StatusSection("Add-ons", tuple(_addons(query, section))),
        StatusSection("Access", tuple(access_lines(query, section))),
        StatusSection("Compute groups", tuple(group_lines(query, section)), NOT_LOOKED_AT_NODES),
    )


def _control_plane(
    query: StatusQuery, section: EksPlan, cluster: eks_state.ClusterState | NotRead
) -> Iterator[StatusLine]:
    if isinstance(cluster, NotRead):
        yield query.not_read(section.name, cluster)
        return
    command = query.access.aws_command("eks describe-cluster", name=section.name, query="cluster.health")
    if cluster.issues:
        name, issues = section.name, cluster.issues
        command = issue_command(query, CLUSTER, issues, cluster=name, name=name, otherwise=command)
        yield error(name, f"{cluster.status}: {issue_words(query, CLUSTER, issues)}", command)
    elif cluster.status != ACTIVE:
        judge = warning if cluster.status in IN_PROGRESS else error
        yield judge(section.name, f"the cluster is {cluster.status}", command)
    else:
        yield from _settings(query, section, cluster)


def _settings(query: StatusQuery, section: EksPlan, cluster: eks_state.ClusterState) -> Iterator[StatusLine]:
    """Yields the line of an active cluster, and those of settings that weaken it or are behind the file."""
    lines = [
        error("API endpoint", finding.message, finding.hint.split("`")[1])
        for finding in endpoint_differences(cluster, section, query.access)
    ]
    if cluster.version != section.version:
        cause = f"Kubernetes {cluster.version} runs, the file has {section.version}"
        lines.append(warning("Kubernetes version", cause, query.toolkit_command("diff")))
    yield healthy(section.name, f"{cluster.status}, Kubernetes {cluster.version}", since=cluster.created)
    yield from lines


def _addons(query: StatusQuery, section: EksPlan) -> Iterator[StatusLine]:
    read = functools.partial(eks_state.addon_state, query.access.target, section.name)
    states = readings("eks", {each.name: functools.partial(read, each.name) for each in section.addons})
    for planned in section.addons:
        yield _addon(query, section, planned, states[planned.name])


def _addon(
    query: StatusQuery, section: EksPlan, planned: AddonPlan, found: eks_state.AddonState | NotRead | None
) -> StatusLine:
    if isinstance(found, NotRead):
        return query.not_read(planned.name, found)
    if found is None:
        return error(planned.name, "the add-on does not exist", addon_creation(planned, section, query.access))
    names = {"cluster_name": section.name, "addon_name": planned.name}
    command = query.access.aws_command("eks describe-addon", **names, query="addon.health")
    if found.issues or found.status != ACTIVE:
        issues = issue_words(query, ADDON, found.issues) if found.issues else "EKS reports no issue"
        command = issue_command(query, ADDON, found.issues, cluster=section.name, name=planned.name, otherwise=command)
        judge = warning if found.status in IN_PROGRESS and not found.issues else error
        return judge(planned.name, f"{found.status}: {issues}", command, since=found.modified)
    if planned.version is not None and found.version != planned.version:
        update = query.access.aws_command("eks update-addon", **names, addon_version=planned.version)
        return warning(planned.name, f"{found.version} runs, the file has {planned.version}", update)
    return healthy(planned.name, f"{found.status}, {found.version}", since=found.modified)

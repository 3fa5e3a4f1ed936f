from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_quotas import ListedQuota, listed_quotas
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups


class QuotaOfUnusableGroup(Rule):
    """A quota is of one Neuron node group whose queue the team can use (`teams[].quota[].node_group`).

    Without this check AWS reports no error. No ClusterQueue has the quota, and jobs of the team wait for devices that
    are reserved in the file alone.
    """

    id = "E2060"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#flavors-and-resources"
    proposes = ("node_group", "queue")

    def check(self, context: RuleContext) -> Violations:
        groups = {group.name: group for group in node_groups(context.environment)}
        if not any(group.queue is not None or group.is_governed for group in groups.values()):  # rule E2062
            return
        for each in listed_quotas(context.environment):
            found = _problem(each, groups)
            if found is not None:
                yield Violation((*each.path, "node_group"), *found)


def _problem(quota: ListedQuota, groups: dict[str, KubernetesNodeGroup]) -> tuple[str, str] | None:
    """Message and hint; None for a quota that a ClusterQueue of the team gets."""
    name, position = quota.spec.node_group, int(quota.path[-1])
    has_governance = any(group.is_governed for group in groups.values())
    usable = [
        group.name
        for group in groups.values()
        if (group.is_governed if has_governance else group.is_neuron and group.queue is not None)
    ]
    instead = f"write {listed(usable, 'or')}, or remove the quota" if usable else "remove the quota"
    group = groups.get(name)
    if group is None:
        return f"no node group has the name {name}", did_you_mean_one_of(name, groups) + instead
    if name in [other.node_group for other in quota.team.quota[:position]]:
        return f"{quota.team.name} already has a quota of {name}", "remove one of the two quotas"
    if group.instance_type is not None and not group.is_neuron:
        return f"{name} has no Neuron devices", instead
    if has_governance:
        message = f"{name} is not an instance group of HyperPod, and task governance has quotas of these only"
        return None if group.is_governed else (message, instead)
    return _without_queue(quota, group, instead)


def _without_queue(quota: ListedQuota, group: KubernetesNodeGroup, instead: str) -> tuple[str, str] | None:
    name = group.name
    if group.queue is None:
        return f"{name} has no queue, and Kueue reserves devices of queues only", f"set queue of {name}, or {instead}"
    queues = {namespace.queue for namespace in quota.team.namespaces}
    if queues and not queues & {None, group.queue}:  # without namespaces: rule E2094
        used = listed(sorted(map(str, queues)))
        return (
            f"{name} is in the queue {group.queue}, but namespaces of {quota.team.name} use {used} only",
            f"set queue: {group.queue} of a namespace of {quota.team.name}, remove its queue, or remove the quota",
        )
    return None

"""Fields of objects that would give a member of a team what belongs to others, as an admission policy.

Roles and Pod Security judge kinds and privileges, quotas count amounts; neither reads the fields judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.node_group_plan import TaintPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.admission_policy import (
    UPDATE,
    MatchedResources,
    Validation,
    binding,
    literal,
    policy,
    policy_name,
)
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.team_nodes import foreign_taints, nodes_of_team
from neuron_cluster.schedulers.kubernetes.software.team_queue_policy import (
    queue_resources,
    queue_validations,
    queue_variables,
)

NETWORK_VOLUMES = (
    *("awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "fc", "flexVolume", "flocker"),
    *("gcePersistentDisk", "gitRepo", "glusterfs", "iscsi", "nfs", "photonPersistentDisk", "portworxVolume", "quobyte"),
    *("rbd", "scaleIO", "storageos", "vsphereVolume"),
)
"""Volumes that the node attaches, mounts or copies from what the pod names: an address, or the id of a disk. Pod
Security ``baseline`` allows all but ``hostPath``, and NetworkPolicies do not apply to nodes. ``csi`` is not among them:
Kubernetes admits it for drivers with the mode Ephemeral alone. Sources:
https://kubernetes.io/docs/concepts/security/pod-security-standards/,
https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#csi-ephemeral-volumes,
kubernetes/kubernetes staging/src/k8s.io/api/core/v1/types.go (VolumeSource)."""
OBJECTS = ("object", "oldObject")
IS_POD, IS_UPDATE = 'request.kind.kind == "Pod"', f'request.operation == "{UPDATE}"'


def team_admission(team: Team, context: ComponentContext) -> ManifestPlan:
    """The policy and its binding: one manifest for each team, since the bindings name its namespaces."""
    name = policy_name("fields", team, is_governed=context.is_governed)
    nodes = nodes_of_team(team, context.node_groups, context.namespaces)
    variables = {**queue_variables(team, nodes)}
    validations = [*_of_services(), *_of_pods(), *queue_validations(nodes)]
    matched = (MatchedResources("", ("pods", "services")), *queue_resources())
    if taints := foreign_taints(nodes):
        variables |= {
            "tolerations": _tolerations("object"),
            "before": f"{IS_UPDATE} ? {_tolerations('oldObject')} : []",
        }
        validations.append(_of_tolerations(taints))
    body = policy(name, matched, variables, validations)
    return ManifestPlan(team.path, f"Fields of team {team.name}", (body, binding(name, team.namespaces)))


def _of_services() -> Iterator[Validation]:
    """Each node sends connections to an external IP to the pods of the Service, also to an address that others have
    (CVE-2020-8554)."""
    given, before = (f"has({each}.spec.externalIPs) && {each}.spec.externalIPs.size() > 0" for each in OBJECTS)
    kept = f"{IS_UPDATE} && {before} && object.spec.externalIPs == oldObject.spec.externalIPs"
    yield Validation(
        f'request.kind.kind != "Service" || !({given}) || ({kept})',
        "externalIPs of a Service takes connections to addresses that others have: no namespace of a team may set it",
    )


def _of_pods() -> Iterator[Validation]:
    """Neither field can be added to a pod that exists, except by the scheduler."""
    is_new = f'{IS_POD} && request.operation == "CREATE"'
    yield Validation(
        f"!({is_new} && has(object.spec.nodeName))",
        "nodeName passes the scheduler, taints and quotas of queues: select nodes by nodeSelector",
    )
    named = " || ".join(f"has(each.{name})" for name in NETWORK_VOLUMES)
    yield Validation(
        f"!({is_new} && has(object.spec.volumes) && object.spec.volumes.exists(each, {named}))",
        f"storage that a pod names itself is attached or mounted by the node, whosever it is: use a claim instead of "
        f"{', '.join(NETWORK_VOLUMES)}",
    )


def _tolerations(pod: str) -> str:
    return f"({IS_POD} && has({pod}.spec.tolerations) ? {pod}.spec.tolerations : [])"


def _of_tolerations(taints: Sequence[TaintPlan]) -> Validation:
    """An update is judged by what it adds, as with images. Without a key a toleration is for every taint
    (https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/)."""
    listed = [{"key": each.key, "value": each.value, "effect": each.kubernetes_effect} for each in taints]
    has_key = '(!has(each.key) || each.key == "" || each.key == taint.key)'
    has_effect = '(!has(each.effect) || each.effect == "" || each.effect == taint.effect)'
    has_value = (
        '((has(each.operator) && each.operator != "Equal") || (has(each.value) ? each.value : "") == taint.value)'
    )
    tolerated = f"{literal(listed)}.exists(taint, {has_key} && {has_effect} && {has_value})"
    names = ", ".join(f"{each.key}={each.value}" for each in taints)
    return Validation(
        f"!variables.tolerations.exists(each, !(each in variables.before) && {tolerated})",
        f"the pod tolerates a taint of nodes of another team ({names}): name key and value of the taints of your nodes",
    )

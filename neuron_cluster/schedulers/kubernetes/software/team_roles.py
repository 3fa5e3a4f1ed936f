"""Rights of members and operators of a team in its namespaces: two Kubernetes Roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

API = "rbac.authorization.k8s.io/v1"
NAME = "neuron-cluster-team"
"""Name of the Role and its RoleBinding in each namespace of a team."""
READ = ("get", "list", "watch")
WRITE = (*READ, "create", "update", "patch", "delete", "deletecollection")

WRITTEN: Mapping[str, Sequence[str]] = {
    "": ("configmaps", "persistentvolumeclaims", "pods", "secrets", "services"),
    "apps": ("deployments", "replicasets", "statefulsets"),
    "batch": ("cronjobs", "jobs"),
    "jobset.x-k8s.io": ("jobsets",),
    "kubeflow.org": ("mpijobs", "pytorchjobs"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
    "policy": ("poddisruptionbudgets",),
    "resource.k8s.io": ("resourceclaims", "resourceclaimtemplates"),
    "trainer.kubeflow.org": ("trainjobs",),
}
"""Resources of workloads by API group. The access policies of AWS name no custom resource: they let no member
create a JobSet (aws/containers-roadmap#2349)."""

SEEN: Mapping[str, Sequence[str]] = {
    "": ("endpoints", "events", "limitranges", "pods/log", "pods/status", "resourcequotas", "serviceaccounts"),
    "events.k8s.io": ("events",),
    "keda.sh": ("scaledobjects",),
    "kueue.x-k8s.io": ("localqueues", "workloads"),
    "networking.k8s.io": ("networkpolicies",),
    "visibility.kueue.x-k8s.io": ("localqueues/pendingworkloads",),
}
"""Resources that explain why a workload waits; the toolkit writes the limits among them."""

WITHOUT_PODS = frozenset({"configmaps", "persistentvolumeclaims", "secrets", "services", "poddisruptionbudgets"})
WITHOUT_PODS |= {"resourceclaims", "resourceclaimtemplates"}
POD_MAKERS: Mapping[str, Sequence[str]] = {
    group: made
    for group, resources in WRITTEN.items()
    if (made := tuple(each for each in resources if each not in WITHOUT_PODS))
}
"""Resources of ``WRITTEN`` that are pods or make them; the admission policy of the team judges their templates."""

CHANGED: Mapping[tuple[str, str], Sequence[str]] = {
    ("", "pods/ephemeralcontainers"): ("get", "patch"),
    ("kueue.x-k8s.io", "workloads"): ("patch",),
}
"""Verbs by API group and resource, in addition to ``SEEN``: `kubectl debug` adds a container to a pod, and `workload
stop` deactivates a Workload. The admission policy of the team lets members change its ``spec.active`` alone."""

INTERACTIVE = ("pods/attach", "pods/exec", "pods/portforward")
SCALED: Mapping[str, Sequence[str]] = {
    "apps": ("deployments/scale", "statefulsets/scale"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets/scale",),
}


OPERATORS = "neuron-cluster-operators"
"""Name of the Role for operators and its RoleBinding. They have the Role of members through another RoleBinding."""
OPERATED: Mapping[tuple[str, str], Sequence[str]] = {
    ("", "serviceaccounts"): (*READ, "create", "update", "patch", "delete"),
    ("networking.k8s.io", "networkpolicies"): (*READ, "create", "update", "patch", "delete"),
    ("", "pods/eviction"): ("create",),
    ("keda.sh", "scaledobjects"): (*READ, "create", "update", "patch", "delete"),
    ("kueue.x-k8s.io", "localqueues"): ("update", "patch"),
    ("rbac.authorization.k8s.io", "roles"): READ,
    ("rbac.authorization.k8s.io", "rolebindings"): READ,
}
"""Verbs by API group and resource, beyond the Role of members. A NetworkPolicy can only allow, so ``create`` opens what
``default-deny`` closes, with or without ``delete``. ``clusterQueue`` of a LocalQueue is immutable, so ``patch`` of
``stopPolicy`` moves no quota (kubernetes-sigs/kueue: apis/kueue/v1beta2/localqueue_types.go). A ScaledObject scales an
object of its own namespace (https://keda.sh/docs/latest/reference/scaledobject-spec/).

Neither Role has Ingresses and HTTPRoutes, which publish an address, PodMonitors, which read pods of every namespace,
and Roles: administrators write these."""


def role(namespace: str) -> Mapping[str, Any]:
    """Without ``impersonate`` and ``serviceaccounts/token``: a pod gets the IAM role of its service account,
    a user does not.

    Kubernetes accepts API groups that no controller serves, so the Role does not depend on the add-ons of the cluster.
    """
    rules = [
        *(_rule(group, resources, WRITE) for group, resources in WRITTEN.items()),
        *(_rule(group, resources, READ) for group, resources in SEEN.items()),
        *(_rule(group, resources, ("get", "update", "patch")) for group, resources in SCALED.items()),
        _rule("", INTERACTIVE, ("get", "create")),
        *(_rule(group, [name], verbs) for (group, name), verbs in CHANGED.items()),
    ]
    return _role(NAME, namespace, rules)


def operator_role(namespace: str) -> Mapping[str, Any]:
    """Without a verb that gives more than it names: no ``bind``, ``escalate``, ``impersonate`` or token, and no write
    of roles, role bindings, quotas and limits."""
    return _role(OPERATORS, namespace, [_rule(group, [name], verbs) for (group, name), verbs in OPERATED.items()])


def role_binding(namespace: str, group: str, *, name: str = NAME, role_name: str = NAME) -> Mapping[str, Any]:
    """To the Kubernetes group that the access entries of the members or operators have."""
    return {
        "apiVersion": API,
        "kind": "RoleBinding",
        "metadata": {"name": name, "namespace": namespace},
        "roleRef": {"apiGroup": API.partition("/")[0], "kind": "Role", "name": role_name},
        "subjects": [{"apiGroup": API.partition("/")[0], "kind": "Group", "name": group}],
    }


def operator_objects(namespace: str, group: str) -> tuple[Mapping[str, Any], ...]:
    """The Role of operators, and what binds it and that of members to their group."""
    return (
        operator_role(namespace),
        role_binding(namespace, group, name=OPERATORS, role_name=OPERATORS),
        role_binding(namespace, group, name=f"{OPERATORS}-as-members"),
    )


def _rule(group: str, resources: Sequence[str], verbs: Sequence[str]) -> Mapping[str, Any]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}


def _role(name: str, namespace: str, rules: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return {"apiVersion": API, "kind": "Role", "metadata": {"name": name, "namespace": namespace}, "rules": list(rules)}

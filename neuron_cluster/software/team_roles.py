"""What members of a team may do in its namespaces: a Kubernetes Role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

API = "rbac.authorization.k8s.io/v1"
NAME = "neuron-cluster-team"
"""Of the Role and its RoleBinding in each namespace of a team."""
READ = ("get", "list", "watch")
WRITE = (*READ, "create", "update", "patch", "delete", "deletecollection")

WRITTEN: Mapping[str, Sequence[str]] = {
    "": ("configmaps", "persistentvolumeclaims", "pods", "secrets", "services"),
    "apps": ("deployments", "replicasets", "statefulsets"),
    "batch": ("cronjobs", "jobs"),
    "jobset.x-k8s.io": ("jobsets",),
    "kubeflow.org": ("mpijobs",),
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
    "kueue.x-k8s.io": ("localqueues", "workloads"),
    "networking.k8s.io": ("networkpolicies",),
    "visibility.kueue.x-k8s.io": ("localqueues/pendingworkloads",),
}
"""Resources that explain why a workload waits; the toolkit writes the limits among them."""

INTERACTIVE = ("pods/attach", "pods/exec", "pods/portforward")
SCALED: Mapping[str, Sequence[str]] = {
    "apps": ("deployments/scale", "statefulsets/scale"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets/scale",),
}


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
    ]
    return {"apiVersion": API, "kind": "Role", "metadata": {"name": NAME, "namespace": namespace}, "rules": rules}


def role_binding(namespace: str, group: str) -> Mapping[str, Any]:
    """To the Kubernetes group that the access entries of the members have."""
    return {
        "apiVersion": API,
        "kind": "RoleBinding",
        "metadata": {"name": NAME, "namespace": namespace},
        "roleRef": {"apiGroup": API.partition("/")[0], "kind": "Role", "name": NAME},
        "subjects": [{"apiGroup": API.partition("/")[0], "kind": "Group", "name": group}],
    }


def _rule(group: str, resources: Sequence[str], verbs: Sequence[str]) -> Mapping[str, Any]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}

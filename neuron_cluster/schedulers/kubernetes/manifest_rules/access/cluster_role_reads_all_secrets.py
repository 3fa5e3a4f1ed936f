from __future__ import annotations

from typing import Any

from local_kubernetes.model.fields import at, expand, items
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

READS = frozenset({"get", "list", "watch", "*"})
AGGREGATES = "rbac.authorization.k8s.io/aggregate-to-"
"""Label that adds the rules to a default ClusterRole of Kubernetes, for all its subjects."""
READERS_OF_KUBERNETES = (
    "admin",
    "cluster-admin",
    "edit",
    "system:aggregate-to-edit",
    "system:controller:generic-garbage-collector",
    "system:controller:namespace-controller",
    "system:controller:resourcequota-controller",
    "system:controller:storage-version-migrator-controller",
    "system:kube-controller-manager",
    "system:node",
)
"""Default ClusterRoles that allow reading Secrets; ``view`` and the other ``system:`` roles do not."""


class ClusterRoleReadsAllSecrets(ManifestRule):
    """A ClusterRole for Secrets is bound to namespaces or lists the Secrets (`resourceNames`).

    A ClusterRole that only RoleBindings of the release reference allows reading the Secrets of their namespaces.
    """

    id = "E8853"
    source = (
        "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#listing-secrets; "
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles; "
        "kubernetes/kubernetes@003e312 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go; "
        "@025f283 testdata/cluster-roles.yaml beside it"
    )
    kinds = ("ClusterRole", "ClusterRoleBinding")

    def check(self, context: ManifestContext) -> Violations:
        if context.object.kind == "ClusterRole":
            if not _bound_in_namespaces_alone(context.object, context.release):
                yield from _rules_that_read(context.object, _binding(context.object, context.release))
        elif (name := at(context.object.body, "roleRef", "name")) in READERS_OF_KUBERNETES:
            yield Violation(
                "roleRef.name",
                f"the ClusterRole {name} allows reading the Secrets of every namespace",
                "remove the binding and add a RoleBinding in each namespace that requires it, or write a role without "
                "Secrets, such as view",
            )


def _rules_that_read(role: KubernetesObject, binding: str) -> Violations:
    for path, rule in expand(role.body, "rules.*"):
        if _reads_secrets(rule):
            yield Violation(
                f"{path}.resources",
                "allows reading the Secrets of every namespace",
                f"write resources without secrets, write resourceNames of the required Secrets, or {binding}",
            )


def _reads_secrets(rule: Any) -> bool:
    return (
        not READS.isdisjoint(map(str, items(at(rule, "verbs"))))
        and not {"secrets", "*"}.isdisjoint(map(str, items(at(rule, "resources"))))
        and not {"", "*"}.isdisjoint(map(str, items(at(rule, "apiGroups"))))
        and not items(at(rule, "resourceNames"))
    )


def _bound_in_namespaces_alone(role: KubernetesObject, release: Release) -> bool:
    if _aggregating(role):
        return False
    return bool(_bindings(role, release, "RoleBinding")) and not _bindings(role, release, "ClusterRoleBinding")


def _binding(role: KubernetesObject, release: Release) -> str:
    """The edits after which only RoleBindings of this release reference the role."""
    wide = [*_aggregating(role), *(one.place for one in _bindings(role, release, "ClusterRoleBinding"))]
    more = "" if _bindings(role, release, "RoleBinding") else "make it roleRef of a RoleBinding of this release"
    return " and ".join(part for part in (f"remove {' and '.join(wide)}" if wide else "", more) if part)


def _aggregating(role: KubernetesObject) -> list[str]:
    return [label for label in labels_of(role.body) if label.startswith(AGGREGATES)]


def _bindings(role: KubernetesObject, release: Release, kind: str) -> list[KubernetesObject]:
    """The bindings of this kind that reference the role."""
    refers = {"kind": "ClusterRole", "name": role.name}
    return [one for one in release.of_kind(kind) if refers == {key: at(one.body, "roleRef", key) for key in refers}]

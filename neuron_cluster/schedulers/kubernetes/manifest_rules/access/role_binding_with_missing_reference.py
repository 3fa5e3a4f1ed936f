from __future__ import annotations

from collections.abc import Sequence

from local_kubernetes.model.fields import at, expand
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either, write_one

ROLES_OF_KUBERNETES = ("admin", "cluster-admin", "edit", "view")

ROLES_WITHOUT_SECRETS = ("view",)
"""The roles that a ClusterRoleBinding may reference; the others allow reading all Secrets (E8853)."""


class RoleBindingWithMissingReference(ManifestRule):
    """A role binding references an existing role and existing ServiceAccounts (`roleRef`, `subjects`)."""

    id = "E8852"
    source = "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding"
    kinds = ("RoleBinding", "ClusterRoleBinding")

    def check(self, context: ManifestContext) -> Violations:
        role = at(context.object.body, "roleRef")
        kind, name = str(at(role, "kind")), str(at(role, "name"))
        given = kind == "ClusterRole" and (name in ROLES_OF_KUBERNETES or name.startswith("system:"))
        home = context.object.namespace if kind == "Role" else ""
        suited = ROLES_OF_KUBERNETES if context.object.kind == "RoleBinding" else ROLES_WITHOUT_SECRETS
        if not given and context.release.find(kind, home, name) is None:
            yield Violation(
                "roleRef.name", f"the release has no {kind} {name!r}", _hint(kind, name, home, context.release, suited)
            )
        for path, subject in expand(context.object.body, "subjects.*"):
            if at(subject, "kind") == "ServiceAccount":
                yield from _unknown_account(path, subject, context.object, context.release)


def _unknown_account(path: str, subject: object, obj: KubernetesObject, release: Release) -> Violations:
    name, namespace = at(subject, "name"), at(subject, "namespace")
    if namespace is None and obj.kind == "ClusterRoleBinding":
        yield Violation(
            f"{path}.namespace",
            f"is not set; a ClusterRoleBinding requires the namespace of the ServiceAccount {name!r}",
            f"write {either(_homes(name, release))}",
        )
        return
    home = namespace or obj.namespace
    made = [one.name for one in release.of_kind("ServiceAccount") if one.namespace == home]
    if made and name not in ("default", *made):
        yield Violation(
            f"{path}.name",
            f"the release has no ServiceAccount {name!r} in the namespace {home}; it has {', '.join(made)}",
            write_one(made, f"add a ServiceAccount {name}"),
        )


def _hint(kind: str, name: str, namespace: str, release: Release, of_kubernetes: Sequence[str]) -> str:
    there = [one.name for one in release.of_kind(kind) if one.namespace == namespace]
    there += of_kubernetes if kind == "ClusterRole" else ()
    return write_one(there, f"add a {kind} {name} to the release")


def _homes(name: object, release: Release) -> list[str]:
    """The namespaces in which the release has a ServiceAccount of this name."""
    there = [one.namespace for one in release.of_kind("ServiceAccount") if one.name == name]
    return there or ["the namespace of the ServiceAccount"]

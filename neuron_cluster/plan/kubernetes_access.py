"""Rights of principals of the environment file in the Kubernetes API."""

from __future__ import annotations

from msgspec import Struct


class PermissionRule(Struct, frozen=True):
    """Verbs and resources of Kubernetes; a resource with its API group: ``jobs.batch``."""

    verbs: tuple[str, ...]
    resources: tuple[str, ...]


class KubernetesAccess(Struct, frozen=True):
    """Permissions that some IAM principals have together."""

    principals: tuple[str, ...]
    """ARNs."""
    granted_by: str
    """Access policy, or Kubernetes group and Role."""
    namespaces: tuple[str, ...]
    """Empty: all."""
    kind: str
    """One or two words for a table: ``read only``."""
    summary: str
    """The same in a sentence."""
    rules: tuple[PermissionRule, ...] = ()
    """Rules of a Role in each of the namespaces; empty where an access policy decides."""
    team: str | None = None

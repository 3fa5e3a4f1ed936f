"""PersistentVolumeClaims without the storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.orchestrators.eks.config.namespaces import NamespaceClaim
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ClaimWithoutStorage(ConfigRule):
    """The claims of a namespace refer to storage of the environment (`eks.namespaces[].claims`).

    The claim `lustre` is bound to the file system of storage.lustre.

    Without this check there is no file system for the PersistentVolumeClaim, and pods that mount it remain Pending,
    `persistentvolumeclaim "lustre" not found`.
    """

    id = "E2030"
    source = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding"
    proposes = ("claims", "lustre", "storage")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        eks = config.section(Eks)
        if eks is None or (config.storage is not None and config.storage.lustre is not None):
            return
        for position, namespace in enumerate(eks.namespaces):
            if NamespaceClaim.LUSTRE in (namespace.claims or ()):
                yield Violation(
                    ("eks", "namespaces", position, "claims"),
                    f"claims of {namespace.name} has lustre, but storage.lustre is not set",
                    "remove claims, or add storage.lustre",
                )

"""Service accounts of the namespaces of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan


def service_accounts(namespaces: Sequence[WorkloadNamespacePlan]) -> Iterator[ManifestPlan]:
    """One for each that a namespace lists; it is deleted when it leaves the file, and running pods keep their token."""
    for namespace in namespaces:
        for name in namespace.service_accounts:
            metadata = {"name": name, "namespace": namespace.name}
            account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
            path = (*namespace.path, "service_accounts")
            yield ManifestPlan(path, f"ServiceAccount {namespace.name} {name}", (account,))

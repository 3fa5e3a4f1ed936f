"""Role for every pod without a service account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import DEFAULT_SERVICE_ACCOUNT
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class BucketAccessOfDefaultAccount(ConfigRule):
    """Roles are for service accounts that jobs name (`eks.namespaces[].bucket_access[].service_account`).

    Kubernetes gives the service account `default` to each pod that names no other.

    Without this check every pod of the namespace, also that of an interactive shell, could read the objects of its
    jobs, and with `write` overwrite them.
    """

    id = "W2041"
    source = "https://kubernetes.io/docs/concepts/security/service-accounts/#default-service-accounts"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            for item, access in enumerate(namespace.bucket_access):
                if access.service_account == DEFAULT_SERVICE_ACCOUNT:
                    yield Violation(
                        (*each.path, "bucket_access", item, "service_account"),
                        f"each pod of {namespace.name} that names no service account has this role",
                        "use an account that only the jobs name, such as trainer",
                    )

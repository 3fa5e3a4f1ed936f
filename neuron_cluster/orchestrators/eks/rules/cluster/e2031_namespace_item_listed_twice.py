"""Claims and service accounts of a namespace that are there already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import DEFAULT_SERVICE_ACCOUNT
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class NamespaceItemListedTwice(ConfigRule):
    """Each claim and service account of a namespace is listed once (`eks.namespaces[].claims`, `service_accounts`).

    The service account `default` is in every namespace: Kubernetes makes it, and it is not listed.

    Without this check CDK rejects two constructs of one name; and CloudFormation would delete the account `default`,
    which Kubernetes makes anew, when it leaves the file.
    """

    id = "E2031"
    source = "https://kubernetes.io/docs/concepts/security/service-accounts/#default-service-accounts"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None:
            return
        for position, namespace in enumerate(eks.namespaces):
            lists = {
                "claims": [each.value for each in namespace.claims or ()],
                "service_accounts": namespace.service_accounts,
            }
            for key, names in lists.items():
                for item, name in enumerate(names):
                    path = ("eks", "namespaces", position, key, item)
                    if name in names[:item]:
                        yield Violation(
                            path, f"{name} is listed twice in {key} of {namespace.name}", "remove one of the two"
                        )
                    elif key == "service_accounts" and name == DEFAULT_SERVICE_ACCOUNT:
                        message = f"{namespace.name} has the service account {name} from Kubernetes"
                        yield Violation(path, message, "remove it: workloads have it without being listed")

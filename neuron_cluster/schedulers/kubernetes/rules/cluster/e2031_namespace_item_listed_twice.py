from __future__ import annotations

from local_kubernetes.model.names import DEFAULT_SERVICE_ACCOUNT
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class NamespaceItemListedTwice(Rule):
    """Each claim and service account of a namespace is listed once (`eks.namespaces[].claims`, `service_accounts`).

    Kubernetes creates the service account `default` in every namespace; it is not listed.

    Without this check CDK rejects two constructs with the same id; and CloudFormation would delete the service account
    `default` when it is removed from the file.
    """

    id = "E2031"
    source = "https://kubernetes.io/docs/concepts/security/service-accounts/#default-service-accounts"

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            lists = {
                "claims": list(namespace.claims or ()),
                "service_accounts": namespace.service_accounts,
            }
            for key, names in lists.items():
                for item, name in enumerate(names):
                    path = (*each.path, key, item)
                    if name in names[:item]:
                        yield Violation(
                            path, f"{name} is listed twice in {key} of {namespace.name}", "remove one of them"
                        )
                    elif key == "service_accounts" and name == DEFAULT_SERVICE_ACCOUNT:
                        message = f"Kubernetes creates the service account {name} in {namespace.name}"
                        yield Violation(path, message, "remove it: workloads can use it without an entry")

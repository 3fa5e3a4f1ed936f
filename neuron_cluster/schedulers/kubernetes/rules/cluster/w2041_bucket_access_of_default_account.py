from __future__ import annotations

from local_kubernetes.model.names import DEFAULT_SERVICE_ACCOUNT
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class BucketAccessOfDefaultAccount(Rule):
    """Roles are for service accounts that jobs name (`eks.namespaces[].bucket_access[].service_account`).

    Kubernetes gives the service account `default` to each pod that names no other.

    Without this check every pod of the namespace, also that of an interactive shell, could read the objects of its
    jobs, and with `write` overwrite them.
    """

    id = "W2041"
    source = "https://kubernetes.io/docs/concepts/security/service-accounts/#default-service-accounts"

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            for item, access in enumerate(namespace.bucket_access):
                if access.service_account == DEFAULT_SERVICE_ACCOUNT:
                    yield Violation(
                        (*each.path, "bucket_access", item, "service_account"),
                        f"each pod of {namespace.name} that names no service account has this role",
                        "use an account that only the jobs name, such as trainer",
                    )

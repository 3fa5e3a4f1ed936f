from __future__ import annotations

from neuron_cluster.plan.compile_cache_plan import READER, WRITER
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.duplicate_names import equal_logical_ids
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class TwoRolesForServiceAccount(Rule):
    """A service account has one role (`eks.namespaces[].bucket_access`, `storage.compile_cache`).

    EKS has one Pod Identity association for each namespace and service account. Those of the compile cache have a role.

    Two pairs of namespace and service account have different names also without hyphens: CDK makes the logical id of
    their association from both.

    Without this check the deploy fails with ResourceInUseException, "Association already exists", or CDK with "section
    'Resources' already contains".
    """

    id = "E2040"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html"

    def check(self, context: RuleContext) -> Violations:
        namespaces = [*listed_namespaces(context.environment.config)]
        pairs = [
            ((*each.path, "bucket_access", item), f"{each.spec.name}/{access.service_account}")
            for each in namespaces
            for item, access in enumerate(each.spec.bucket_access)
        ]
        yield from equal_logical_ids(pairs, "service_account")
        for each in namespaces:
            namespace = each.spec
            names = [access.service_account for access in namespace.bucket_access]
            for item, name in enumerate(names):
                path = (*each.path, "bucket_access", item)
                if name in names[:item]:
                    message = f"{name} of {namespace.name} has two entries in bucket_access"
                    yield Violation((*path, "service_account"), message, "remove one of them, or use another account")
                elif name in (READER, WRITER):
                    message = f"{name} is the service account of the compile cache (storage.compile_cache)"
                    yield Violation((*path, "service_account"), message, "use another account, such as trainer")

from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class BucketAccessWithoutBucket(Rule):
    """Roles of namespaces are for the checkpoint bucket of the environment (`eks.namespaces[].bucket_access`).

    Without this check the service accounts would have no role, and their jobs fail with AccessDenied at the first save.
    """

    id = "E4090"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-association.html"
    proposes = ("bucket_access", "checkpoint_bucket")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is not None and storage.checkpoint_bucket is not None:
            return
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            if namespace.bucket_access:
                yield Violation(
                    (*each.path, "bucket_access"),
                    f"{namespace.name} has bucket_access, but storage.checkpoint_bucket is not set",
                    "add `checkpoint_bucket: {}` to storage, or remove bucket_access",
                )

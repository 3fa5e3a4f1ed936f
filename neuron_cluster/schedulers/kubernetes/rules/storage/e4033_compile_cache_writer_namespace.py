from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class CompileCacheWriterNamespace(Rule):
    """The writer of the compile cache is in a namespace of the file (`storage.compile_cache.writer_namespace`).

    The role that writes is that of the service account compile-cache-writer in this namespace.

    Without this check no pod could write to the cache: the warmer of each namespace fails with AccessDenied.
    """

    id = "E4033"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-association.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.compile_cache is None or storage.compile_cache.writer_namespace is None:
            return
        name = storage.compile_cache.writer_namespace
        names = [each.spec.name for each in listed_namespaces(context.environment.config)]
        if name not in names:
            given = f"it lists {listed(names)}" if names else "it lists none"
            yield Violation(
                ("storage", "compile_cache", "writer_namespace"),
                f"{name} is not a namespace of the file: {given}",
                f"name {listed(names, 'or')}, or remove writer_namespace" if names else "remove writer_namespace",
            )

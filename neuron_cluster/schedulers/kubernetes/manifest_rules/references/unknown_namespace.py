from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)


class UnknownNamespace(ManifestRule):
    """The namespace of an object is that of the release, an existing one, or one that the release creates."""

    id = "E8846"
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#namespacelifecycle; "
        "https://helm.sh/docs/helm/helm_install/ (--create-namespace creates only the release's namespace)"
    )

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        if obj.namespace and obj.namespace not in context.release.namespaces:
            yield Violation(
                "metadata.namespace",
                f"the namespace {obj.namespace!r} does not exist, and the release does not create it",
                f"remove namespace to use that of the release, or add a Namespace {obj.namespace} to the release",
            )

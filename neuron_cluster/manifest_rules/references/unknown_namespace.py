"""Objects in a namespace that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation


class UnknownNamespace(ManifestRule):
    """The namespace of an object is that of the release, an existing one, or one that the release creates."""

    id = "E8846"
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#namespacelifecycle; "
        "https://helm.sh/docs/helm/helm_install/ (--create-namespace creates only the release's namespace)"
    )

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        if obj.namespace and obj.namespace not in release.namespaces:
            yield Violation(
                "metadata.namespace",
                f"the namespace {obj.namespace!r} does not exist, and the release does not create it",
                f"remove namespace to use that of the release, or add a Namespace {obj.namespace} to the release",
            )

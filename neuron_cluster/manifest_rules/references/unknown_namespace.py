"""A namespace that nobody makes."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation


class UnknownNamespace(ManifestRule):
    """An object lands in a namespace that exists: the release's, one that is known, or one that the release makes."""

    id = "E8846"
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#namespacelifecycle; "
        "https://helm.sh/docs/helm/helm_install/ (--create-namespace makes the release's namespace alone)"
    )

    def check(self, judged: KubernetesObject, release: Release) -> Iterator[Violation]:
        if judged.namespace and judged.namespace not in release.namespaces:
            yield Violation(
                "metadata.namespace",
                f"nothing makes the namespace {judged.namespace!r}",
                f"remove namespace to use that of the release, or add a Namespace {judged.namespace} to the release",
            )

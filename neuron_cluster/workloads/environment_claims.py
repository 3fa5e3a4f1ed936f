"""PersistentVolumeClaims that the environment makes in its namespaces."""

from __future__ import annotations

from neuron_cluster.chart_values import value_at
from neuron_cluster.plan.cluster_plan import EksPlan

CLAIM = "PersistentVolumeClaim"


def environment_claims(eks: EksPlan) -> frozenset[tuple[str, str]]:
    """Namespace and name of each."""
    objects = [each for manifest in eks.manifests for each in manifest.objects if each["kind"] == CLAIM]
    return frozenset(
        (str(value_at(each, "metadata.namespace")), str(value_at(each, "metadata.name"))) for each in objects
    )

"""The contract of software is in Kubernetes' words."""

from neuron_cluster.catalog.chart_contract import ProvidedKind


def test_a_kind_is_told_with_its_api_version() -> None:
    kind = ProvidedKind(api_version="jobset.x-k8s.io/v1alpha2", kind="JobSet", namespaced=True)
    assert str(kind) == "jobset.x-k8s.io/v1alpha2 JobSet"

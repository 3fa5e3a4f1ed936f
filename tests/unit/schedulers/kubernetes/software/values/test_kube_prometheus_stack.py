"""Prometheus on EKS: no alerts about parts that cannot be read, and monitors of other charts are seen."""

from neuron_cluster.schedulers.kubernetes.software.values.kube_prometheus_stack import KubePrometheusStackValues


def test_what_eks_hides_is_off_with_its_alerts() -> None:
    values = KubePrometheusStackValues().as_values()
    for part in ("kubeEtcd", "kubeScheduler", "kubeControllerManager"):
        assert values[part] == {"enabled": False}
    assert not any(values["defaultRules"]["rules"].values())


def test_monitors_and_rules_of_every_release_are_taken() -> None:
    spec = KubePrometheusStackValues().as_values()["prometheus"]["prometheusSpec"]
    for kind in ("serviceMonitor", "podMonitor", "rule", "probe", "scrapeConfig"):
        assert spec[f"{kind}SelectorNilUsesHelmValues"] is False


def test_subcharts_are_set_at_keys_with_dashes_and_switched_at_others() -> None:
    values = KubePrometheusStackValues.read({"kube-state-metrics": {"replicas": 2}}).as_values()
    assert values["kube-state-metrics"] == {"replicas": 2}
    assert values["kubeStateMetrics"] == {"enabled": True}

from __future__ import annotations

from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import NEURON_CHART

TAG = "scheduler.customScheduler.image.tag"


class KubeSchedulerVersionMismatch(Rule):
    """The Neuron scheduler extension runs a kube-scheduler of the cluster's Kubernetes version (`eks.version`).

    The catalog has the EKS Distro image of each version that publishes one. The chart's default is an image of
    Kubernetes 1.31.

    Without this check AWS reports no error. A scheduler of another minor version does not support the cluster's fields,
    or requests API kinds that no longer exist; pods that use it remain Pending.
    """

    id = "E5036"
    source = (
        "https://kubernetes.io/releases/version-skew-policy/#kube-controller-manager-kube-scheduler-and-cloud-controller-"
        "manager; aws-neuron/neuron-helm-charts: values.yaml (scheduler.customScheduler.image)"
    )
    proposes = ("chart_values", "eks")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        version = context.catalog.kubernetes_versions.get(cluster.section.version) if cluster is not None else None
        if cluster is None or version is None or not cluster.flag("neuron_scheduler"):
            return
        given: Any = value_at(cluster.section.chart_values.get(NEURON_CHART, {}), TAG)
        if given is None and version.kube_scheduler_tag is None:
            yield Violation(
                (*cluster.path, "addons", "neuron_scheduler"),
                f"the catalog has no kube-scheduler {version.name} image, which the scheduler extension requires",
                f"set {cluster.key('chart_values')}.{NEURON_CHART}.{TAG} to a tag v{version.name}.… that the "
                "registry has",
            )
        elif isinstance(given, str) and not given.startswith(f"v{version.name}."):
            yield Violation(
                (*cluster.path, "chart_values", NEURON_CHART, *TAG.split(".")),
                f"{given} is not a kube-scheduler tag of Kubernetes {version.name}, the version of the cluster",
                f"set a tag v{version.name}.…"
                + (", or remove the value" if version.kube_scheduler_tag is not None else ""),
            )

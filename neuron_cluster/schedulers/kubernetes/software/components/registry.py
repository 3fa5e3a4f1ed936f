"""All components of a cluster's software, by their flags: one row each. What node groups need has no flag.

A component without ``builder`` is one chart or one managed add-on with the values of its row. The catalog has what
a chart provides, needs and runs, and what its pods may do in AWS; the closed models of chart values are in ``values/``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.component_flags import ComponentFlags
from neuron_cluster.schedulers.kubernetes.software.defaults_context import DefaultsContext, charts_that_need
from neuron_cluster.schedulers.kubernetes.software.device_management import neuron_software

NEURON_CHART = "neuron-helm-chart"
EFA_CHART = "aws-efa-k8s-device-plugin"
MONITOR_CHART = "neuron-monitor"
HYPERPOD_CHART = "hyperpod-helm-chart"
TRAINING_OPERATOR_CHART = "training-operators"
CLOUDWATCH_ADDON = "amazon-cloudwatch-observability"

PodSecurity = Literal["privileged", "baseline", "restricted"]
Default = Callable[[ComponentFlags, DefaultsContext, Catalog], bool]
Values = Callable[[ComponentContext], Mapping[str, Any]]


KEDA_METRICS: Mapping[str, Any] = {"prometheus": {"operator": {"enabled": True, "serviceMonitor": {"enabled": True}}}}


def _has_prometheus(flags: ComponentFlags, context: DefaultsContext) -> bool:
    """Whether the flag of kube-prometheus-stack, or its default, enables it: its metrics need a volume."""
    flag, by_default = flags["kube_prometheus_stack"], context.metrics == "prometheus"
    return by_default and "kube_prometheus_stack" not in context.installed_otherwise if flag is None else flag


def _no_values(context: ComponentContext) -> Mapping[str, Any]:
    del context
    return {}


class ComponentSpec(Struct, frozen=True, kw_only=True):
    """One row."""

    kind: Literal["chart", "bundled_chart", "addon", "manifests"]
    """A chart of the catalog, a folder below ``charts/``, a managed add-on, or Kubernetes objects of the builder."""
    source: str
    """Name of the chart, folder, add-on or objects."""
    default_when: Default | None = None
    """Whether it is enabled by default; None where the model has a plain default."""
    after: tuple[str, ...] = ()
    """Components that are installed first where they are enabled."""
    namespace: str | None = None
    """Namespace of a bundled chart; the catalog has that of any other."""
    pod_security: PodSecurity = "baseline"
    """Level of the release's own namespace, which is created first; that of the cluster's system is left as it is."""
    flag_values: tuple[tuple[str, str], ...] = ()
    """Chart and dotted path of each value that is the flag itself, so that ``chart_values`` cannot set it."""
    values: Values = _no_values
    """Chart values that differ from the defaults of the chart's model, or the configuration of the add-on."""
    needed_when: Callable[[ComponentContext], bool] | None = None
    """Whether the node groups need it, for a component without a flag in the file."""
    builder: str | None = None
    """``MODULE.FUNCTION`` of this package, for a component that needs more than the above."""


COMPONENTS: Mapping[str, ComponentSpec] = {
    "neuron_device_plugin": ComponentSpec(
        kind="chart",
        source=NEURON_CHART,
        default_when=lambda flags, context, _: neuron_software(flags, has_neuron=context.has_neuron).device_plugin,
        flag_values=((NEURON_CHART, "devicePlugin.enabled"),),
        builder="neuron_chart.device_plugin",
    ),
    "neuron_dra_driver": ComponentSpec(
        kind="chart",
        source=NEURON_CHART,
        after=("neuron_node_problem_detector",),
        flag_values=((NEURON_CHART, "draDriver.enabled"),),
        builder="neuron_chart.dra_driver",
    ),
    "neuron_node_problem_detector": ComponentSpec(
        kind="chart",
        source=NEURON_CHART,
        default_when=lambda flags, context, _: neuron_software(flags, has_neuron=context.has_neuron).detector,
        flag_values=((NEURON_CHART, "npd.enabled"),),
        builder="neuron_chart.node_problem_detector",
    ),
    "neuron_scheduler": ComponentSpec(
        kind="chart",
        source=NEURON_CHART,
        flag_values=((NEURON_CHART, "scheduler.enabled"),),
        builder="neuron_chart.scheduler",
    ),
    "neuron_ultraserver_operator": ComponentSpec(
        kind="chart",
        source=NEURON_CHART,
        after=("neuron_node_problem_detector",),
        flag_values=((NEURON_CHART, "ultraserverOperator.enabled"),),
        builder="neuron_chart.ultraserver_operator",
    ),
    "neuron_monitor": ComponentSpec(
        kind="bundled_chart",
        source=MONITOR_CHART,
        default_when=lambda _, context, __: context.metrics == "prometheus" and context.has_neuron,
        after=("kube_prometheus_stack",),
        namespace=MONITOR_CHART,
        pod_security="privileged",
        builder="neuron_monitor.component",
    ),
    "efa_device_plugin": ComponentSpec(
        kind="chart",
        source=EFA_CHART,
        default_when=lambda _, context, __: context.has_efa,
        builder="efa_device_plugin.component",
    ),
    "node_monitoring_agent": ComponentSpec(
        kind="addon",
        source="eks-node-monitoring-agent",
        default_when=lambda _, context, __: context.repairs,
    ),
    "ebs_csi_driver": ComponentSpec(
        kind="addon",
        source="aws-ebs-csi-driver",
        default_when=lambda flags, context, _: _has_prometheus(flags, context),
    ),
    "efs_csi_driver": ComponentSpec(
        kind="addon",
        source="aws-efs-csi-driver",
        default_when=lambda _, context, __: context.has_efs or context.claims_s3_files,
        builder="efs_csi_driver.component",
    ),
    "fsx_csi_driver": ComponentSpec(
        kind="addon",
        source="aws-fsx-csi-driver",
        default_when=lambda _, context, __: context.has_lustre,
        builder="fsx_csi_driver.component",
    ),
    "mountpoint_s3_csi_driver": ComponentSpec(
        kind="addon", source="aws-mountpoint-s3-csi-driver", builder="mountpoint_s3_csi_driver.component"
    ),
    "cloudwatch_observability": ComponentSpec(
        kind="addon",
        source=CLOUDWATCH_ADDON,
        default_when=lambda _, context, __: context.metrics == "cloudwatch",
        # https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/install-CloudWatch-Observability-EKS-addon.html
        values=lambda context: {} if context.container_logs else {"containerLogs": {"enabled": False}},
    ),
    "metrics_server": ComponentSpec(kind="addon", source="metrics-server"),
    "kube_prometheus_stack": ComponentSpec(
        kind="chart",
        source="kube-prometheus-stack",
        default_when=lambda _, context, __: context.metrics == "prometheus",
        builder="kube_prometheus_stack.component",
    ),
    "kueue": ComponentSpec(
        kind="chart",
        source="kueue",
        default_when=lambda _, context, __: context.has_queues,
        # Kueue looks for the kinds that it manages when it starts; and its webhook over Jobs rejects those of other
        # charts' installations while none of its pods answers.
        after=("cert_manager", "kube_prometheus_stack", "jobset", "leader_worker_set", "kubeflow_trainer"),
        builder="kueue.component",
    ),
    "jobset": ComponentSpec(
        kind="chart",
        source="jobset",
        flag_values=(("kubeflow-trainer", "jobset.install"),),
        values=lambda context: {"prometheus": {"enable": context.has("kube_prometheus_stack")}},
    ),
    "leader_worker_set": ComponentSpec(
        kind="chart",
        source="lws",
        values=lambda context: {"enablePrometheus": context.has("kube_prometheus_stack")},
    ),
    "kubeflow_trainer": ComponentSpec(
        kind="chart",
        source="kubeflow-trainer",
        builder="kubeflow_trainer.component",
    ),
    "cert_manager": ComponentSpec(
        kind="chart",
        source="cert-manager",
        default_when=lambda _, context, catalog: any(charts_that_need("cert-manager", context, catalog)),
    ),
    "aws_load_balancer_controller": ComponentSpec(
        kind="chart",
        source="aws-load-balancer-controller",
        builder="aws_load_balancer_controller.component",
    ),
    "keda": ComponentSpec(
        kind="chart",
        source="keda",
        values=lambda context: {
            "clusterName": context.cluster,
            **(KEDA_METRICS if context.has("kube_prometheus_stack") else {}),
        },
    ),
    "hyperpod_dependencies": ComponentSpec(
        kind="chart",
        source=HYPERPOD_CHART,
        needed_when=lambda context: context.has_hyperpod,
    ),
    "training_operator": ComponentSpec(
        kind="chart",
        source=TRAINING_OPERATOR_CHART,
        needed_when=lambda context: context.resumes_jobs,
    ),
    "image_prepull": ComponentSpec(kind="manifests", source="image-prepull", builder="image_prepull.component"),
}
"""Components by flag."""

CHARTS: Mapping[str, str] = {
    name: spec.source for name, spec in COMPONENTS.items() if spec.kind == "chart" and spec.needed_when is None
}
"""Chart of the catalog, by the flag of its component."""
CHARTS_OF_GROUPS: Mapping[str, str] = {
    name: spec.source for name, spec in COMPONENTS.items() if spec.kind == "chart" and spec.needed_when is not None
}
"""Chart of the catalog, by a component that node groups need, and that has no flag."""
BUNDLED_CHARTS: Mapping[str, str] = {
    name: spec.source for name, spec in COMPONENTS.items() if spec.kind == "bundled_chart"
}
"""Folder below ``charts/``, by component."""
ADDONS: Mapping[str, str] = {name: spec.source for name, spec in COMPONENTS.items() if spec.kind == "addon"}
"""Managed add-on, by component."""


def components_of_groups(context: ComponentContext) -> tuple[str, ...]:
    """Returns the components without a flag that the node groups need."""
    return tuple(
        name for name, spec in COMPONENTS.items() if spec.needed_when is not None and spec.needed_when(context)
    )


def flag_values(chart: str) -> Mapping[str, str]:
    """The flag, by the dotted path of each value of this chart that follows from it."""
    return {path: name for name, spec in COMPONENTS.items() for of, path in spec.flag_values if of == chart}

"""Parts of the Neuron chart, each with a flag of its own.

The DRA driver has a release of its own: the chart drops plugin and detector from one that has the driver. It comes
after the other release, out of which the device plugin has then gone. The chart itself creates the driver's namespace:
one that is created first would not be the release's, and helm would not adopt it.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from neuron_cluster.plan.addon_plan import NamespacePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.schedulers.kubernetes.software.chart_values.placement import missing_tolerations, with_missing_types
from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import NEURON_CHART
from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.neuron_helm_chart import (
    CustomScheduler,
    DevicePlugin,
    DraDriver,
    NodeProblemDetector,
    Scheduler,
    UltraserverOperator,
)
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enabled, Image

DRA_RELEASE = "neuron-dra-driver"


def device_plugin(context: ComponentContext) -> Component:
    """Pods request ``aws.amazon.com/neuron``."""
    values = DevicePlugin(enabled=True, **_tolerations("devicePlugin", context))
    return _component("devicePlugin", values, context)


def dra_driver(context: ComponentContext) -> Component:
    """Pods claim devices of the class ``neuron.aws.com``."""
    values = DraDriver(enabled=True, **_tolerations("draDriver", context))
    return _component("draDriver", values, context, name=DRA_RELEASE)


def node_problem_detector(context: ComponentContext) -> Component:
    """Reports broken devices of a node as conditions. Neither helm nor the chart creates the namespace of its objects.
    Detectors read the host's kernel log, which no other Pod Security level allows."""
    row = context.catalog.charts.get(NEURON_CHART)
    labels = pod_security_labels("privileged", context.kubernetes_version)
    namespaces = tuple(NamespacePlan(name, labels) for name in row.further_namespaces) if row is not None else ()
    return _component("npd", NodeProblemDetector(enabled=True), context, namespaces=namespaces)


def scheduler(context: ComponentContext) -> Component:
    """The scheduler extension, with a second kube-scheduler of the cluster's own version that calls it. Without a known
    tag (rule E5036) the one that ``chart_values`` names is used."""
    version = context.catalog.kubernetes_versions.get(context.kubernetes_version)
    tag = version.kube_scheduler_tag if version is not None else None
    values = Scheduler(
        enabled=True,
        custom_scheduler=CustomScheduler(enabled=True, image=Image(tag=tag) if tag is not None else UNSET),
        default_scheduler=Enabled(enabled=False),
    )
    return _component("scheduler", values, context)


def ultraserver_operator(context: ComponentContext) -> Component:
    """Whole UltraServers for workloads, in the release of the DRA driver that it needs."""
    return _component("ultraserverOperator", UltraserverOperator(enabled=True), context, name=DRA_RELEASE)


def _component(part: str, values: ClosedValues, context: ComponentContext, **release: Any) -> Component:
    """One part of a release of the chart."""
    types = with_missing_types(NEURON_CHART, context.neuron_groups, context.catalog)
    instances = {"neuronInstances": list(types)} if types else {}
    together = {part: values.as_values(), **instances}
    return Component(releases=(Release(chart=NEURON_CHART, values=together, **release),))


def _tolerations(part: str, context: ComponentContext) -> dict[str, Any]:
    """The tolerations of a part as a field of its model; none when the chart's own cover the cluster's taints."""
    tolerations = missing_tolerations(NEURON_CHART, f"{part}.tolerations", context.plugin_tolerations, context.catalog)
    return {"tolerations": tolerations} if tolerations else {}

"""Kueue: jobs wait until their queue has devices for all their pods."""

from __future__ import annotations

from msgspec import UNSET

from local_kubernetes.model.names import NAMESPACE_LABEL, NEURON, NEURON_CLASS, SYSTEM_NAMESPACE
from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import COMPONENTS
from neuron_cluster.schedulers.kubernetes.software.queue_objects import queue_drains, queue_objects
from neuron_cluster.schedulers.kubernetes.software.values.kueue import (
    ControllerManager,
    DisruptionBudget,
    KueueValues,
    Manager,
    ManagerConfig,
    SpreadConstraint,
)
from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import (
    NOT_COUNTED,
    Controller,
    DeviceClassMapping,
    FairSharing,
    Framework,
    Integrations,
    KueueConfiguration,
    LabelExpression,
    LabelSelector,
    Metrics,
    QuotaResources,
    RequeuingStrategy,
    WaitForPodsReady,
)

CLAIMED = (DeviceClassMapping(name=NEURON, device_class_names=(NEURON_CLASS,)),)
"""The class of the Neuron DRA driver counts as what the device plugin offers."""

CONTROLLER_MANAGER = ControllerManager(
    replicas=2,
    pod_disruption_budget=DisruptionBudget(enabled=True, min_available=1),
    manager=Manager(priority_class_name="system-cluster-critical"),
    topology_spread_constraints=(
        SpreadConstraint(
            max_skew=1,
            topology_key="kubernetes.io/hostname",
            when_unsatisfiable="ScheduleAnyway",
            label_selector=LabelSelector(match_labels={"control-plane": "controller-manager"}),
        ),
    ),
)
"""While no pod of Kueue answers, its webhook rejects pods of every namespace that it manages: two pods on two nodes,
of which a drain takes one at a time. Both serve the webhook, one leads (kubernetes-sigs/kueue@ff69552,
charts/kueue/templates: webhook/manifests.yaml, manager/manager.yaml).
"""

FAIR_SHARING = FairSharing(preemption_strategies=("LessThanOrEqualToFinalShare", "LessThanInitialShare"))
"""Idle devices go to teams by their weights; both strategies in this order are Kueue's default
(kubernetes-sigs/kueue@ff69552, site/content/en/docs/concepts/preemption.md)."""

REQUEUING = RequeuingStrategy(backoff_base_seconds=60, backoff_max_seconds=120)
"""Kueue's own maximum of an hour would leave nodes idle that come after the last try: those of a capacity block are
billed by the hour (kubernetes-sigs/kueue@ff69552, apis/config/v1beta2/defaults.go)."""


CONCURRENCY = Controller(
    group_kind_concurrency={
        "Job.batch": 5,
        "Pod": 5,
        "Workload.kueue.x-k8s.io": 10,
        "LocalQueue.kueue.x-k8s.io": 5,
        "ClusterQueue.kueue.x-k8s.io": 5,
        "ResourceFlavor.kueue.x-k8s.io": 1,
    }
)
"""Numbers of the chart's configuration, which ours replaces: without them each controller works on one object at a
time (kubernetes-sigs/kueue@8eab687, charts/kueue/values.yaml; pkg/config/config.go)."""


def component(context: ComponentContext) -> Component:
    """The chart stays when the last queue is deleted: helm would delete the definition of Workloads together with the
    controller that alone takes their finalizers off. The definition would stay in Terminating, and Kueue could not come
    back (kubernetes-sigs/kueue@ff69552, charts/kueue/templates/crd: no helm.sh/resource-policy). Without queues Kueue
    admits nothing; jobs that were stopped go on when their queue comes back.
    """
    values = KueueValues(
        enable_prometheus=context.has("kube_prometheus_stack"),
        controller_manager=CONTROLLER_MANAGER,
        manager_config=ManagerConfig.of(_configuration(context)),
    )
    return Component(
        releases=(Release(chart="kueue", values=values.as_values(), stays=True),),
        manifests=queue_objects(context),
        patches=queue_drains(context),
    )


def _configuration(context: ComponentContext) -> KueueConfiguration:
    """Quotas count devices alone: processor, memory and huge pages follow from the node, and a job must not have to
    know them.

    Deployments, StatefulSets and LeaderWorkerSets are admitted pod by pod or group by group: Kueue checks every pod
    of the namespaces that it manages, and admits those without a queue. Without ``pod`` pods pass uncounted
    while Kueue does not answer (kubernetes-sigs/kueue@ff69552: site/content/en/v0.19/docs/tasks/run,
    charts/kueue/templates/webhook/manifests.yaml).

    Devices that pods claim (DRA) count as those that they ask the device plugin for: a job whose device class is not
    mapped is never admitted (kubernetes-sigs/kueue@ff69552: site/content/en/v0.19/docs/tasks/manage/setup_dra.md).
    """
    frameworks: tuple[Framework, ...] = ("batch/job", "kubeflow.org/mpijob", "pod", "deployment", "statefulset")
    if context.has("leader_worker_set"):
        frameworks = (*frameworks, "leaderworkerset.x-k8s.io/leaderworkerset")
    if context.has("jobset") or context.has("kubeflow_trainer"):
        frameworks = (*frameworks, "jobset.x-k8s.io/jobset")
    if context.has("kubeflow_trainer"):
        frameworks = (*frameworks, "trainer.kubeflow.org/trainjob")
    if context.resumes_jobs:
        frameworks = (*frameworks, "kubeflow.org/pytorchjob")
    return KueueConfiguration(
        controller=CONCURRENCY,
        metrics=Metrics(enable_cluster_queue_resources=True) if context.teams else Metrics(),
        managed_jobs_namespace_selector=_all_but_software(context),
        integrations=Integrations(frameworks=frameworks),
        wait_for_pods_ready=_wait_for_pods_ready(context.pods_ready_minutes),
        fair_sharing=FAIR_SHARING if context.teams else UNSET,
        resources=QuotaResources(
            exclude_resource_prefixes=NOT_COUNTED,
            device_class_mappings=CLAIMED if context.has("neuron_dra_driver") else UNSET,
        ),
    )


def _wait_for_pods_ready(minutes: int) -> WaitForPodsReady:
    """Jobs that are not ready in time lose devices. A server is ready when its model is compiled and loaded, after
    the start of its container too, so the time to recover is the same.
    """
    time = f"{minutes}m"
    return WaitForPodsReady(timeout=time, recovery_timeout=time, block_admission=False, requeuing_strategy=REQUEUING)


def _all_but_software(context: ComponentContext) -> LabelSelector:
    """Pods of the cluster's own software are never held back, and start while Kueue does not answer."""
    sources = (COMPONENTS[name].source for name in context.enabled)
    shapes = (shape for source in sources for shape in context.catalog.workload_shapes.of_software(source))
    namespaces = {SYSTEM_NAMESPACE, *(shape.namespace for shape in shapes)}
    others = LabelExpression(key=NAMESPACE_LABEL, operator="NotIn", values=tuple(sorted(namespaces)))
    return LabelSelector(match_expressions=(others,))

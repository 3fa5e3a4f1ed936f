"""Kueue: jobs wait until their queue has devices for all their pods."""

from __future__ import annotations

from msgspec import UNSET

from neuron_cluster.kubernetes_names import NEURON, NEURON_CLASS
from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.queue_objects import queue_objects
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.kueue import KueueValues, ManagerConfig
from neuron_cluster.software.values.kueue_configuration import (
    DeviceClassMapping,
    Framework,
    Integrations,
    KueueConfiguration,
    LabelExpression,
    LabelSelector,
    QuotaResources,
    WaitForPodsReady,
)

NOT_MANAGED = LabelSelector(
    match_expressions=(
        LabelExpression(key="kubernetes.io/metadata.name", operator="NotIn", values=("kube-system", "kueue-system")),
    )
)
"""Workloads of the cluster's own software are never held back."""

BEFORE_KUEUE = ("cert_manager", "kube_prometheus_stack", "jobset", "leader_worker_set", "kubeflow_trainer")
"""Kueue looks for the kinds that it minds when it starts; and its webhook over Jobs refuses those of other charts'
installations while none of its pods answers."""


CLAIMED = (DeviceClassMapping(name=NEURON, device_class_names=(NEURON_CLASS,)),)
"""The class of the Neuron DRA driver counts as what the device plugin offers."""


def component(setting: Setting) -> Component:
    values = KueueValues(manager_config=ManagerConfig.of(_configuration(setting)))
    return Component(
        releases=(Release(chart="kueue", values=values.as_values(), after=BEFORE_KUEUE),),
        manifests=queue_objects(setting),
    )


def _configuration(setting: Setting) -> KueueConfiguration:
    """Quotas count devices alone: processor, memory and huge pages follow from the node, and a job must not have to
    know them. A job whose pods are not all ready in half an hour gives its devices back.

    LeaderWorkerSets are not queued: Kueue could mind them only by minding every single pod.

    Devices that pods claim (DRA) count as those that they ask the device plugin for: a job whose device class is not
    mapped is never admitted (kubernetes-sigs/kueue@ff69552: site/content/en/v0.19/docs/tasks/manage/setup_dra.md).
    """
    frameworks: tuple[Framework, ...] = ("batch/job", "kubeflow.org/mpijob")
    if setting.has("jobset") or setting.has("kubeflow_trainer"):
        frameworks = (*frameworks, "jobset.x-k8s.io/jobset")
    if setting.has("kubeflow_trainer"):
        frameworks = (*frameworks, "trainer.kubeflow.org/trainjob")
    return KueueConfiguration(
        managed_jobs_namespace_selector=NOT_MANAGED,
        integrations=Integrations(frameworks=frameworks),
        wait_for_pods_ready=WaitForPodsReady(timeout="30m", block_admission=False),
        resources=QuotaResources(
            exclude_resource_prefixes=("cpu", "memory", "ephemeral-storage", "hugepages-"),
            device_class_mappings=CLAIMED if setting.has("neuron_dra_driver") else UNSET,
        ),
    )

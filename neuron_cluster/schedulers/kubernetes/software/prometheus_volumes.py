"""EBS volumes of Prometheus and Alertmanager, so that a pod that moves keeps its metrics and silences."""

from __future__ import annotations

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.values.prometheus_parts import (
    ClaimResources,
    ClaimSpec,
    ClaimTemplate,
    StorageRequest,
    StorageSpec,
)

COMPONENT = "kube_prometheus_stack"
STORAGE_CLASS = "neuron-cluster-gp3"
PROMETHEUS_GIB, ALERTMANAGER_GIB = 50, 2
RETENTION, RETENTION_SIZE = "15d", "40GB"
"""Below the volume: the size leaves out the write-ahead log
(https://prometheus.io/docs/prometheus/latest/storage/#operational-aspects)."""


def has_volumes(context: ComponentContext) -> bool:
    """Whether the cluster has a driver for them."""
    return context.has("ebs_csi_driver")


def storage_class(context: ComponentContext) -> ManifestPlan:
    """A cluster has no default class. In the zone of the pod's node, encrypted with the account's key for EBS
    (kubernetes-sigs/aws-ebs-csi-driver, docs/parameters.md)."""
    body = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": STORAGE_CLASS},
        "provisioner": "ebs.csi.aws.com",
        "parameters": {"type": "gp3", "encrypted": "true"},
        "volumeBindingMode": "WaitForFirstConsumer",
        "allowVolumeExpansion": True,
        "reclaimPolicy": "Delete",
    }
    path = (*context.addons_path, COMPONENT)
    return ManifestPlan(path, f"StorageClass {STORAGE_CLASS}", (body,), component=COMPONENT)


def volume(gib: int) -> StorageSpec:
    """One for each pod."""
    claim = ClaimSpec(
        storage_class_name=STORAGE_CLASS, resources=ClaimResources(requests=StorageRequest(storage=f"{gib}Gi"))
    )
    return StorageSpec(volume_claim_template=ClaimTemplate(spec=claim))

"""PersistentVolumes and claims of the datasets in the checkpoint bucket: read only, through Mountpoint for S3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME, ManifestPlan
from neuron_cluster.plan.bucket_access_plan import DATASETS_PREFIX

DATASETS_CLAIM = "datasets"
"""Name of the claim in each namespace, and the word for it in ``claims`` of a namespace."""
DRIVER, ADDON = "s3.csi.aws.com", "aws-mountpoint-s3-csi-driver"
COMPONENT = "mountpoint_s3_csi_driver"
CLAIMED_GIB = 1200
"""Without effect, since a bucket has no size; Kubernetes requires one, and does not let it change in a claim."""


def dataset_volumes(path: KeyPath, namespace: str, region: str) -> Iterator[ManifestPlan]:
    """The volume, then its claim. Both stay when the namespace leaves the file, as those of Lustre."""
    volume = f"PersistentVolume {_name(namespace)}"
    claim = f"PersistentVolumeClaim {namespace} {DATASETS_CLAIM}"
    body = _volume(namespace, region)
    yield ManifestPlan(path, volume, (body,), needs=(ADDON,), component=COMPONENT, is_kept=True)
    yield ManifestPlan(path, claim, (_claim(namespace),), needs=(volume,), component=COMPONENT, is_kept=True)


def _name(namespace: str) -> str:
    return f"{DATASETS_CLAIM}-{namespace}"


def _volume(namespace: str, region: str) -> Mapping[str, Any]:
    """With the role of the driver. ``allow-other``: pods do not run as root.

    Source: awslabs/mountpoint-s3-csi-driver: examples/kubernetes/static_provisioning; awslabs/mountpoint-s3:
    doc/CONFIGURATION.md.
    """
    spec = {
        "capacity": {"storage": f"{CLAIMED_GIB}Gi"},
        "accessModes": ["ReadOnlyMany"],
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": "",
        "claimRef": {"namespace": namespace, "name": DATASETS_CLAIM},
        "mountOptions": ["read-only", "allow-other", f"prefix {DATASETS_PREFIX}", f"region {region}"],
        "csi": {
            "driver": DRIVER,
            "volumeHandle": _name(namespace),
            "volumeAttributes": {"bucketName": CHECKPOINT_BUCKET_NAME},
        },
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": _name(namespace)}, "spec": spec}


def _claim(namespace: str) -> Mapping[str, Any]:
    metadata = {"name": DATASETS_CLAIM, "namespace": namespace}
    spec = {
        "accessModes": ["ReadOnlyMany"],
        "storageClassName": "",
        "volumeName": _name(namespace),
        "resources": {"requests": {"storage": f"{CLAIMED_GIB}Gi"}},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}

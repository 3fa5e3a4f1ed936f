"""PersistentVolumes and PersistentVolumeClaims of the Lustre file system, a pair for each namespace that uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import LUSTRE_DNS_NAME, LUSTRE_ID, LUSTRE_MOUNT_NAME, ManifestPlan

LUSTRE_CLAIM = "lustre"
"""Name of the claim in each namespace, and the word for it in ``claims`` of a namespace."""
DRIVER, ADDON = "fsx.csi.aws.com", "aws-fsx-csi-driver"
COMPONENT = "fsx_csi_driver"
CLAIMED_GIB = 1200
"""The request of each claim, which binds it to a volume of any size: FSx has no smaller file system. Kubernetes lets
no claim of a static volume change (spec is immutable after creation), so it must not follow the capacity."""


def claim_manifest(namespace: str) -> str:
    """Name of the manifest with the claim of this namespace."""
    return f"PersistentVolumeClaim {namespace} {LUSTRE_CLAIM}"


def lustre_volumes(
    path: KeyPath, namespace: str, capacity_gib: int, *, needs: tuple[str, ...] = ()
) -> Iterator[ManifestPlan]:
    """The volume, then its claim. Both stay when the namespace leaves the file: `kubectl delete` of a claim waits for
    the pods that mount it (finalizer kubernetes.io/pvc-protection)."""
    volume = f"PersistentVolume {_name(namespace)}"
    yield ManifestPlan(
        path, volume, (_volume(namespace, capacity_gib),), needs=(ADDON, *needs), component=COMPONENT, is_kept=True
    )
    yield ManifestPlan(
        path, claim_manifest(namespace), (_claim(namespace),), needs=(volume,), component=COMPONENT, is_kept=True
    )


def _name(namespace: str) -> str:
    return f"{LUSTRE_CLAIM}-{namespace}"


def _volume(namespace: str, capacity_gib: int) -> Mapping[str, Any]:
    """A volume binds one claim. Its handle is its own: Kubernetes treats two volumes of one handle as the same.

    Source: kubernetes-sigs/aws-fsx-csi-driver@5b22712 examples/kubernetes/static_provisioning/specs/pv.yaml. ``flock``:
    file locks of the Neuron compile cache, Orbax and datasets fail without it.
    """
    spec = {
        "capacity": {"storage": f"{capacity_gib}Gi"},
        "volumeMode": "Filesystem",
        "accessModes": ["ReadWriteMany"],
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": "",
        "mountOptions": ["flock"],
        "claimRef": {"namespace": namespace, "name": LUSTRE_CLAIM},
        "csi": {
            "driver": DRIVER,
            "volumeHandle": f"{LUSTRE_ID}-{namespace}",
            "volumeAttributes": {"dnsname": LUSTRE_DNS_NAME, "mountname": LUSTRE_MOUNT_NAME},
        },
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": _name(namespace)}, "spec": spec}


def _claim(namespace: str) -> Mapping[str, Any]:
    metadata = {"name": LUSTRE_CLAIM, "namespace": namespace}
    spec = {
        "accessModes": ["ReadWriteMany"],
        "storageClassName": "",
        "volumeName": _name(namespace),
        "resources": {"requests": {"storage": f"{CLAIMED_GIB}Gi"}},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}

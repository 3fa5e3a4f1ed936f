"""PersistentVolumes and PersistentVolumeClaims of EFS access points, a pair for each namespace that uses one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import EFS_ID, ManifestPlan, efs_access_point_id

EFS_CLAIM = "efs-"
"""Prefix of the claims of access points: ``efs-home``, in ``claims`` of a namespace too."""
DRIVER, ADDON = "efs.csi.aws.com", "aws-efs-csi-driver"
COMPONENT = "efs_csi_driver"
CLAIMED = "1Gi"
"""Kubernetes requires a size, and a file system of EFS has none."""


def access_point_of(claim: str) -> str | None:
    """The access point that a claim is for; None for a claim of other storage."""
    return claim.removeprefix(EFS_CLAIM) if claim.startswith(EFS_CLAIM) else None


def efs_volumes(path: KeyPath, namespace: str, access_point: str) -> Iterator[ManifestPlan]:
    """The driver mounts an access point with TLS. Its handle is FILE_SYSTEM:PATH:ACCESS_POINT; the path is cleaned to
    the root, and differs by namespace because Kubernetes treats two volumes of one handle as the same.

    Source: kubernetes-sigs/aws-efs-csi-driver@d76d65f pkg/driver/node.go; issues #167 and #852 there.
    """
    handle = f"{EFS_ID}:/{namespace}/..:{efs_access_point_id(access_point)}"
    yield from efs_driver_volumes(path, namespace, f"{EFS_CLAIM}{access_point}", handle)


def efs_driver_volumes(path: KeyPath, namespace: str, claim: str, handle: str) -> Iterator[ManifestPlan]:
    """The volume, then its claim. Both stay when they leave the file, as those of Lustre."""
    # No name of a namespace or a claim has a dot, so no two pairs have one name.
    name = f"{claim}.{namespace}"
    volume = f"PersistentVolume {name}"
    yield ManifestPlan(
        path,
        volume,
        (_volume(name, claim, namespace, handle),),
        needs=(ADDON,),
        component=COMPONENT,
        is_kept=True,
    )
    yield ManifestPlan(
        path,
        f"PersistentVolumeClaim {namespace} {claim}",
        (_claim(name, claim, namespace),),
        needs=(volume,),
        component=COMPONENT,
        is_kept=True,
    )


def _volume(name: str, claim: str, namespace: str, handle: str) -> Mapping[str, Any]:
    spec = {
        "capacity": {"storage": CLAIMED},
        "volumeMode": "Filesystem",
        "accessModes": ["ReadWriteMany"],
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": "",
        "claimRef": {"namespace": namespace, "name": claim},
        "csi": {"driver": DRIVER, "volumeHandle": handle},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec}


def _claim(name: str, claim: str, namespace: str) -> Mapping[str, Any]:
    spec = {
        "accessModes": ["ReadWriteMany"],
        "storageClassName": "",
        "volumeName": name,
        "resources": {"requests": {"storage": CLAIMED}},
    }
    metadata = {"name": claim, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}

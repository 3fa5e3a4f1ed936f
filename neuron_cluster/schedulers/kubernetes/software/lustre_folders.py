"""Folders of the Lustre file system that workloads may write to, made by a Job that runs once as root."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.names import STORAGE_NAMESPACE
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext, LustreVolume
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import (
    COMPONENT,
    LUSTRE_CLAIM,
    claim_manifest,
    lustre_volumes,
)

IMAGE = "busybox"
"""Row of the catalog's helper images."""
OWNER = "1000:1000"
"""As which the charts of this project run."""
MOUNT = "/lustre"
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER")
"""Capabilities with which root creates folders below those of others and changes their owner."""
FOLDERS = "lustre-folders"
FOLDERS_MANIFEST = f"Job {FOLDERS}"
SCRIPT = """\
set -eu
cd {mount}
shared() {{  # everybody may make folders in it, as in /tmp; only where it is as FSx made it
  mkdir -p "$1"
  if [ "$(stat -c %u:%a "$1")" = 0:755 ]; then chmod 1777 "$1"; fi
}}
owned() {{  # the workloads' own; one that has an owner already stays as it is
  if [ -L "$1" ]; then echo "$1 is a link and stays as it is"; return; fi
  mkdir -p "$1"
  if [ "$(stat -c %u "$1")" = 0 ]; then chown {owner} "$1"; fi
}}
{lines}
"""


def namespace_folder(folder: str, namespace: str) -> str:
    """The folder of a namespace on the file system, inside of the one that is mirrored."""
    return f"{folder}/{namespace}" if folder else namespace


def lustre_folders(context: ComponentContext, lustre: LustreVolume) -> Iterator[ManifestPlan]:
    """A namespace of its own with a claim of its own, since a volume binds one claim, and the Job.

    Source of what is there before: a new file system and the folder of an association belong to root, mode 0755, and
    the driver's CSIDriver (fsGroupPolicy ReadWriteOnceWithFSType) keeps the kubelet from changing that for fsGroup
    (kubernetes-sigs/aws-fsx-csi-driver@5b22712 charts/aws-fsx-csi-driver/templates/csidriver.yaml).
    """
    labels = pod_security_labels("baseline", context.kubernetes_version)
    home = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": STORAGE_NAMESPACE, "labels": labels}}
    home_manifest = f"Namespace {STORAGE_NAMESPACE}"
    path = (*context.addons_path, COMPONENT)
    yield ManifestPlan(path, home_manifest, (home,), component=COMPONENT, is_kept=True)
    yield from lustre_volumes(path, STORAGE_NAMESPACE, lustre.capacity_gib, needs=(home_manifest,))
    row = context.catalog.helper_images.get(IMAGE)
    if row is None:
        raise LookupError(f"the catalog has no helper image {IMAGE}")
    yield ManifestPlan(
        path,
        FOLDERS_MANIFEST,
        (_job(lustre, context.images.pinned(row.image)),),
        needs=(claim_manifest(STORAGE_NAMESPACE),),
        comes_last=True,  # webhooks of charts reject Jobs until their pods respond
        component=COMPONENT,
        images=(context.images.pulled_as(row.image),),
    )


def _job(lustre: LustreVolume, image: str) -> Mapping[str, Any]:
    """Kubernetes lets no Job change: another one gets another name, and the old one is pruned. It waits as long as the
    file system cannot be mounted."""
    labels = {"app.kubernetes.io/name": FOLDERS}
    template = {"metadata": {"labels": labels}, "spec": _pod(lustre, image)}
    digest = hashlib.sha256(json.dumps(template, sort_keys=True).encode()).hexdigest()[:8]
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{FOLDERS}-{digest}", "namespace": STORAGE_NAMESPACE, "labels": labels},
        "spec": {"backoffLimit": 20, "template": template},
    }


def _pod(lustre: LustreVolume, image: str) -> Mapping[str, Any]:
    """Without a toleration: it runs on the nodes of the system groups, which may mount Lustre as all others."""
    container = {
        "name": "make",
        "image": image,
        "command": ["sh", "-c", _script(lustre)],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"], "add": list(CAPABILITIES)},
        },
        "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "32Mi"}},
        "volumeMounts": [{"name": "lustre", "mountPath": MOUNT}],
    }
    return {
        "restartPolicy": "OnFailure",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "securityContext": {"runAsUser": 0, "runAsGroup": 0, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
        "volumes": [{"name": "lustre", "persistentVolumeClaim": {"claimName": LUSTRE_CLAIM}}],
    }


def _script(lustre: LustreVolume) -> str:
    shared = dict.fromkeys([".", lustre.folder or "."])
    owned = (namespace_folder(lustre.folder, namespace) for namespace in lustre.namespaces)
    lines = [*(f"shared {shlex.quote(each)}" for each in shared), *(f"owned {shlex.quote(each)}" for each in owned)]
    return SCRIPT.format(mount=MOUNT, owner=OWNER, lines="\n".join(lines))

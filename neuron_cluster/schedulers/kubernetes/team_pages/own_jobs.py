"""Jobs of one pod with one Neuron device, in the image of a starter job: a shell, and a smoke test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.names import GROUP_LABEL, INSTANCE_TYPE_LABEL, NEURON, QUEUE_NAME_LABEL
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import StarterJob
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import DRA

SHELL_HOURS = 8
"""After which a shell ends, so that a forgotten one does not keep its device."""
SMOKE_MINUTES = 60
"""A node that is added and the pull of an image are part of it."""
KEPT_SECONDS = 24 * 3600
"""How long a finished Job stays, with its log."""
USER = 1000
"""As which the bundled charts run; the folders on Lustre belong to it."""
CLAIM_KIND, CLAIM_NAME = "ResourceClaimTemplate", "neurons"
TEST_SCRIPT = """\
set -eu
export PATH="$PATH:/opt/aws/neuron/bin"
echo "user $(id -u), node device files:" && ls /dev/neuron*
neuron-ls
{folders}
echo "smoke test passed"
"""
FOLDER_SCRIPT = """\
echo "claim {claim}: {path}"
test -d {path}
{write}"""
WRITE = "touch {folder}/.smoke-test-$HOSTNAME && rm {folder}/.smoke-test-$HOSTNAME\n"


class Mount(Struct, frozen=True):
    """A claim of the namespace in a pod. ``folder`` is the one below its root that the pod may write; None: none."""

    claim: str
    path: str
    folder: str | None
    """Relative to ``path``; empty for its root."""

    @property
    def written(self) -> str | None:
        """The folder that pods write to, with the path of the mount."""
        return None if self.folder is None else f"{self.path}/{self.folder}".rstrip("/")


def shell_job(job: StarterJob, mounts: Sequence[Mount]) -> tuple[Mapping[str, Any], ...]:
    """``kubectl exec`` opens a shell in its pod."""
    return _job(job, "interactive", mounts, ["sleep", str(SHELL_HOURS * 3600)], SHELL_HOURS * 3600)


def smoke_test(job: StarterJob, mounts: Sequence[Mount]) -> tuple[Mapping[str, Any], ...]:
    """Lists the device, and writes a file to each claim that pods may write."""
    folders = "".join(map(_folder_script, mounts))
    script = TEST_SCRIPT.format(folders=folders.rstrip("\n"))
    return _job(job, "smoke-test", mounts, ["sh", "-c", script], SMOKE_MINUTES * 60)


def _folder_script(mount: Mount) -> str:
    write = WRITE.format(folder=mount.written) if mount.written is not None else ""
    return FOLDER_SCRIPT.format(claim=mount.claim, path=mount.path, write=write)


def _job(
    job: StarterJob, name: str, mounts: Sequence[Mount], command: Sequence[str], seconds: int
) -> tuple[Mapping[str, Any], ...]:
    """The Job, after the template of its claim where a DRA driver allocates devices."""
    labels = {"app.kubernetes.io/name": name}
    queue = {QUEUE_NAME_LABEL: job.size.share.queue} if job.size.share.queue else {}
    of_pods = {**labels, **queue} if job.size.share.group.is_governed else labels  # else its admission policy rejects
    body = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": name,
            "namespace": job.namespace,
            "labels": {**labels, **queue},
        },
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": seconds,
            "ttlSecondsAfterFinished": KEPT_SECONDS,
            "template": {"metadata": {"labels": of_pods}, "spec": _pod(job, name, mounts, command)},
        },
    }
    return (*_claim_template(job, name), body)


def _pod(job: StarterJob, name: str, mounts: Sequence[Mount], command: Sequence[str]) -> Mapping[str, Any]:
    machine, claims = job.values["machine"], _uses_claims(job)
    account = job.values.get("serviceAccount", {}).get("name")
    spec: dict[str, Any] = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 5,
        "enableServiceLinks": False,
        "automountServiceAccountToken": False,
        **({"serviceAccountName": account} if account else {}),
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "tolerations": list(job.values["tolerations"]),
        "nodeSelector": {INSTANCE_TYPE_LABEL: machine["instanceType"], GROUP_LABEL: machine["nodeGroup"]},
        "containers": [_container(job, name, mounts, command)],
        "volumes": [
            {"name": "temporary", "emptyDir": {"sizeLimit": f"{machine.get('scratchGib') or 1}Gi"}},
            *({"name": each.claim, "persistentVolumeClaim": {"claimName": each.claim}} for each in mounts),
        ],
    }
    return {**spec, "resourceClaims": _pod_claims(name)} if claims else spec


def _container(job: StarterJob, name: str, mounts: Sequence[Mount], command: Sequence[str]) -> Mapping[str, Any]:
    machine = job.values["machine"]
    memory, disk = f"{machine['memoryGib']}Gi", f"{machine.get('scratchGib') or 1}Gi"
    limits = {"memory": memory, "ephemeral-storage": disk}
    if not _uses_claims(job):
        limits[NEURON] = "1"
    return {
        "name": name,
        "image": job.prepared.workload.chosen.image,
        "command": list(command),
        "workingDir": "/tmp",  # noqa: S108 - a volume of the pod
        "resources": {
            "requests": {"cpu": machine["cpu"], **limits},
            "limits": limits,
            **({"claims": [{"name": CLAIM_NAME}]} if _uses_claims(job) else {}),
        },
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "temporary", "mountPath": "/tmp"},  # noqa: S108
            *(
                {"name": each.claim, "mountPath": each.path, **({"readOnly": True} if each.folder is None else {})}
                for each in mounts
            ),
        ],
    }


def _uses_claims(job: StarterJob) -> bool:
    return bool(job.values["machine"]["deviceManagement"] == DRA)


def _pod_claims(name: str) -> list[Mapping[str, Any]]:
    return [{"name": CLAIM_NAME, "resourceClaimTemplateName": name}]


def _claim_template(job: StarterJob, name: str) -> tuple[Mapping[str, Any], ...]:
    """Returns the template of the chart with another name: it has the device class and the LNC of the node group."""
    return tuple(
        {**body, "metadata": {"name": name, "namespace": job.namespace}}
        for body in job.objects
        if body["kind"] == CLAIM_KIND
    )

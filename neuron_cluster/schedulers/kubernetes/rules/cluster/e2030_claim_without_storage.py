from __future__ import annotations

from neuron_cluster.config.namespace import DATASETS, LUSTRE, S3_FILES
from neuron_cluster.config.storage import Storage
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.software.efs_volumes import access_point_of


class ClaimWithoutStorage(Rule):
    """The claims of a namespace refer to storage of the environment (`eks.namespaces[].claims`).

    The claim `lustre` is bound to the file system of storage.lustre, `datasets` to the checkpoint bucket, a claim
    such as `efs-home` to the access point `home` of storage.efs, `s3-files` to the file system of storage.s3_files.

    Without this check there is no volume for the PersistentVolumeClaim, and pods that mount it remain Pending,
    `persistentvolumeclaim "lustre" not found`.
    """

    id = "E2030"
    source = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding"
    proposes = ("claims", "lustre", "checkpoint_bucket", "storage", "efs", "access_points", "s3_files")

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            path = (*each.path, "claims")
            for claim in namespace.claims or ():
                missing = _missing(claim, context.environment.config.storage)
                if missing is not None:
                    message, hint = missing
                    yield Violation(path, f"claims of {namespace.name} has {claim}, but {message}", hint)


def _missing(claim: str, storage: Storage | None) -> tuple[str, str] | None:
    """Returns the requirement of the claim that the file does not have, and the hint; None if it has all."""
    if claim == LUSTRE:
        has_lustre = storage is not None and storage.lustre is not None
        return None if has_lustre else ("storage.lustre is not set", "remove claims, or add storage.lustre")
    if claim == DATASETS:
        has_bucket = storage is not None and storage.checkpoint_bucket is not None
        lacks = "storage.checkpoint_bucket is not set", "remove claims, or add storage.checkpoint_bucket"
        return None if has_bucket else lacks
    if claim == S3_FILES:
        has_files = storage is not None and storage.s3_files is not None
        return None if has_files else ("storage.s3_files is not set", "remove claims, or add storage.s3_files")
    efs, access_point = storage.efs if storage is not None else None, access_point_of(claim)
    if efs is None:
        return "storage.efs is not set", "remove claims, or add storage.efs"
    names = [each.name for each in efs.access_points]
    if access_point in names:
        return None
    return (
        f"storage.efs has no access point {access_point}; it has {', '.join(names)}",
        f"write claims: [efs-{names[0]}], or add {access_point} to access_points",
    )

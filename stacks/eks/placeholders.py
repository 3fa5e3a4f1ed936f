"""Deploy-time placeholders of a plan, and the tokens that replace them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.plan.addon_plan import (
    BUCKET_KEY,
    CHECKPOINT_BUCKET,
    CHECKPOINT_BUCKET_NAME,
    DATA_KEY,
    EFS_ID,
    EXPRESS_BUCKET,
    LUSTRE_DNS_NAME,
    LUSTRE_ID,
    LUSTRE_MOUNT_NAME,
    S3_FILES_ACCESS_POINT_ARN,
    S3_FILES_ACCESS_POINT_ID,
    S3_FILES_ARN,
    S3_FILES_ID,
    VPC_ID,
    efs_access_point_id,
)
from stacks.constructs.bucket_name import bucket_name
from stacks.constructs.efs_file_system import EfsFileSystem
from stacks.constructs.s3_files_system import S3FilesSystem

PARTITION = "<partition>"
LUSTRE_NAMES = (LUSTRE_ID, LUSTRE_DNS_NAME, LUSTRE_MOUNT_NAME)


class Placeholders:
    """Tokens by their placeholder, and the ARN of the cluster whose pods get roles.

    ``bucket_arn``, ``express_arn`` and keys are None where there is no bucket;
    ``lustre`` are id, DNS name and mount name of the file system, if there is one; ``efs`` the EFS file system with its
    access points, ``s3_files`` that of S3 Files."""

    def __init__(
        self,
        partition: str,
        *,
        cluster_arn: str,
        vpc_id: str | None = None,
        bucket_arn: str | None = None,
        key_arn: str | None = None,
        bucket_key_arn: str | None = None,
        express_arn: str | None = None,
        lustre: tuple[str, str, str] | None = None,
        efs: EfsFileSystem | None = None,
        s3_files: S3FilesSystem | None = None,
    ) -> None:
        self.cluster_arn = cluster_arn
        known = {PARTITION: partition, VPC_ID: vpc_id, CHECKPOINT_BUCKET: bucket_arn, DATA_KEY: key_arn}
        known[BUCKET_KEY] = bucket_key_arn
        known[CHECKPOINT_BUCKET_NAME] = bucket_name(bucket_arn) if bucket_arn is not None else None
        known[EXPRESS_BUCKET] = express_arn
        known |= dict(zip(LUSTRE_NAMES, lustre or (None, None, None), strict=True))
        if efs is not None:
            points = {efs_access_point_id(name): value for name, value in efs.access_point_ids.items()}
            known |= {EFS_ID: efs.file_system_id, **points}
        if s3_files is not None:
            known |= {S3_FILES_ID: s3_files.file_system_id, S3_FILES_ARN: s3_files.file_system_arn}
            known[S3_FILES_ACCESS_POINT_ID] = s3_files.access_point_id
            known[S3_FILES_ACCESS_POINT_ARN] = s3_files.access_point_arn
        self._known = {name: value for name, value in known.items() if value is not None}

    def in_text(self, text: str) -> str:
        """The text with the known tokens in place of its placeholders."""
        for name, value in self._known.items():
            text = text.replace(name, value)
        return text

    def in_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a chart, at any depth."""
        return {key: self._in(value) for key, value in values.items()}

    def _in(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.in_values(value)
        if isinstance(value, (list, tuple)):
            return [self._in(part) for part in value]
        return self.in_text(value) if isinstance(value, str) else value

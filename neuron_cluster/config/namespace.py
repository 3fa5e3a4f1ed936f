"""Namespaces for workloads, of the whole cluster or of a team."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.bucket_access import BucketAccess
from neuron_cluster.config.scalars import ClosedModel, GroupName


class PodSecurity(enum.StrEnum):
    """A level of the Kubernetes Pod Security Standards."""

    RESTRICTED = "restricted"
    BASELINE = "baseline"
    PRIVILEGED = "privileged"


LUSTRE, DATASETS, S3_FILES = "lustre", "datasets", "s3-files"
CLAIM_PATTERN = r"^(lustre|datasets|s3-files|efs-[a-z]([a-z0-9-]{0,61}[a-z0-9])?)$"
"""Storage that a namespace has a PersistentVolumeClaim for; the claim has the same name."""


class Namespace(ClosedModel):
    """A Kubernetes namespace for workloads: its Pod Security level, queues, claims, service accounts and roles."""

    name: GroupName = Field(
        description="Name of the namespace. `default` exists in every cluster; others are created.",
        examples=["research"],
    )
    pod_security: PodSecurity = Field(
        default=PodSecurity.RESTRICTED,
        description="Pod Security level that the namespace enforces: the API server rejects pods that violate it. With "
        "privileged, any user who can create pods there can become root on the nodes.",
        examples=["restricted"],
    )
    queue: GroupName | None = Field(
        default=None,
        description="The only queue for jobs of this namespace, which then has one LocalQueue. "
        "Absent: a LocalQueue for every queue.",
        examples=["training"],
    )
    claims: list[Annotated[str, Field(pattern=CLAIM_PATTERN)]] | None = Field(
        default=None,
        description="PersistentVolumeClaims that are created in it: lustre uses the file system of storage.lustre, for "
        "`--claim lustre`; datasets reads `datasets/` of the checkpoint bucket through Mountpoint for S3; efs-NAME an "
        "access point of storage.efs; s3-files the file system of storage.s3_files. An empty list: none. Default: "
        "lustre if storage.lustre is set.",
        examples=[["lustre"]],
    )
    service_accounts: list[GroupName] = Field(
        default=[],
        description="Kubernetes service accounts that are created in it for workloads, besides `default`, which every "
        "namespace has. Absent: none.",
        examples=[["trainer"]],
    )
    bucket_access: list[BucketAccess] = Field(
        default=[],
        description="Service accounts with an IAM role for the checkpoint bucket, limited to the prefix of the "
        "namespace. Absent: none.",
        examples=[[{"service_account": "trainer", "access": "write"}]],
    )

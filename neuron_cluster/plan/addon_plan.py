"""Managed add-ons and charts, in the order in which they can work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from local_kubernetes.model.chart_values import with_value
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.config.source_map import KeyPath

VPC_ID = "<vpc>"
"""In the values of a chart: the id of the environment's VPC, which only the network stack has."""
CHECKPOINT_BUCKET = "<checkpoint-bucket>"
"""In the resource of a statement: the ARN of the checkpoint bucket, which only the storage stack has."""
CHECKPOINT_BUCKET_NAME = "<checkpoint-bucket-name>"
"""In an object: its name."""
EXPRESS_BUCKET = "<express-bucket>"
"""The same for the directory bucket of S3 Express One Zone."""
DATA_KEY = "<data-key>"
BUCKET_KEY = "<bucket-key>"
"""The same for the ARN of the key that encrypts what the environment stores."""


LUSTRE_ID, LUSTRE_DNS_NAME, LUSTRE_MOUNT_NAME = "<lustre-id>", "<lustre-dns-name>", "<lustre-mount-name>"
"""In an object: what FSx names the Lustre file system, which only the storage stack has."""


EFS_ID = "<efs-id>"
"""In an object: the id of the EFS file system."""


S3_FILES_ID, S3_FILES_ARN = "<s3-files-id>", "<s3-files-arn>"
"""In an object and in the resource of a statement: the file system of S3 Files."""
S3_FILES_ACCESS_POINT_ID, S3_FILES_ACCESS_POINT_ARN = "<s3-files-access-point-id>", "<s3-files-access-point-arn>"
"""Likewise: the access point through which pods mount it."""


def efs_access_point_id(name: str) -> str:
    """In an object: the placeholder for the id of an access point of it."""
    return f"<efs-access-point {name}>"


class PodRolePlan(Struct, frozen=True):
    """An IAM role that a service account gets through Pod Identity."""

    namespace: str
    service_account: str
    managed_policies: tuple[str, ...] = ()
    """AWS managed policies by path and name, e.g. ``service-role/AmazonEBSCSIDriverPolicy``."""
    statements: tuple[PolicyStatement, ...] = ()
    """What it may do beside those. ``<partition>`` and ``CHECKPOINT_BUCKET`` are deploy-time placeholders."""
    because: str = ""
    """Why resources of these statements are wide, where they are."""


class AddonPlan(Struct, frozen=True):
    """One managed add-on."""

    path: KeyPath
    name: str
    before_nodes: bool
    """True: nodes need it to become Ready; false: it needs nodes to become healthy."""
    version: str | None = None
    """None: the default of the service for the cluster's version."""
    configuration: Mapping[str, Any] = field(default_factory=dict)
    pod_roles: tuple[PodRolePlan, ...] = ()


class DeviceManagementPlan(Struct, frozen=True):
    """How pods get Neuron devices."""

    path: KeyPath
    ways: tuple[str, ...]
    """``device_plugin`` or ``dra``, as the catalog names them; none where nothing hands out devices."""
    reason: str
    """Why, in the words of the environment file."""


class NamespacePlan(Struct, frozen=True):
    """A namespace that must exist before a chart, with its Pod Security level."""

    name: str
    labels: Mapping[str, str]


class ChartPlan(Struct, frozen=True):
    """One Helm release."""

    path: KeyPath
    release: str
    chart: str
    repository: str
    """``oci://…/chart`` in full for OCI (CDK's handler wants it so), else the repository's URL."""
    version: str
    namespace: str
    values: Mapping[str, Any]
    timeout_minutes: int
    namespaces: tuple[NamespacePlan, ...] = ()
    """Namespaces to make first."""
    needs: tuple[str, ...] = ()
    """Releases and managed add-ons that come first."""
    digest: str | None = None
    """Of this version, as the lock has it. `deploy` compares it: CDK's Helm release accepts a version only."""
    component: str = ""
    """The component that installs it, by its flag in ``addons``."""
    folder: str | None = None
    """Of a bundled chart, its folder below ``charts/``; repository and version are then empty."""
    stays: bool = False
    """Stays in the cluster, with its namespaces, when it leaves the file: removing it is a decision of people."""
    waits: bool = False
    """Helm waits until its pods run: others need them, and they run on the system group."""
    pod_roles: tuple[PodRolePlan, ...] = ()
    image_digests: Mapping[str, str] = field(default_factory=dict)
    """Digests of the lock, by the dotted paths of the values that take them."""

    @property
    def deployed_values(self) -> Mapping[str, Any]:
        """``values``, with images by digest where the lock has one and the chart accepts one."""
        values: Mapping[str, Any] = self.values
        for path, digest in self.image_digests.items():
            values = with_value(values, path, digest)
        return values


class PatchPlan(Struct, frozen=True):
    """A change to an object: a JSON merge patch when it is made, another one before it is deleted."""

    path: KeyPath
    name: str
    """Also the id of its construct: a contract."""
    resource: str
    """``KINDS.GROUP/NAME``."""
    applied: Mapping[str, Any]
    before_deletion: Mapping[str, Any]
    needs: tuple[str, ...]
    """Manifests that come first, and are deleted after it: the object, and what must see the patch."""


class ManifestPlan(Struct, frozen=True):
    """Kubernetes objects of ours, applied together."""

    path: KeyPath
    name: str
    """Also the id of its construct: a contract."""
    objects: tuple[Mapping[str, Any], ...]
    needs: tuple[str, ...] = ()
    """Releases that come first, since they provide the kinds or admit the objects, and manifests before this one."""
    comes_last: bool = False
    """After all add-ons and charts: a deploy that fails before has not made it, and so does not delete it again."""
    component: str = ""
    is_kept: bool = False
    """Whether the objects stay in the cluster when they leave the file: pods may be using them."""
    images: tuple[str, ...] = ()
    """Images that its pods run, by the names that nodes pull, without digest."""

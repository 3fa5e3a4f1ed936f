"""Facts about AWS that a release of AWS may change: one class for each kind. No row says how a service behaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from msgspec import Struct

from local_aws.cloudformation.property_changes import PropertyPath

Fact = TypeVar("Fact")


class ServiceQuota(Struct, frozen=True, kw_only=True):
    """A quota in Service Quotas (service ``ec2``), counted in vCPUs."""

    name: str
    code: str


class UltraServer(Struct, frozen=True, kw_only=True):
    """Several instances that are sold as one; ``capacity_type`` is EC2's name in capacity blocks."""

    capacity_type: str | None
    instances: int


class SourcedFact(Struct, frozen=True, kw_only=True):
    """A row, where its facts are from, and when they were checked."""

    name: str
    source: str
    checked_on: date


class InstanceType(SourcedFact, frozen=True, kw_only=True):
    """An EC2 instance type. None: no source states it, and no check uses it."""

    vcpus: int | None
    on_demand_quota: ServiceQuota | None
    spot_quota: ServiceQuota | None
    purchase_modes: tuple[str, ...] | None
    """``capacity_block`` and ``ultraserver_block`` among them where the type is sold in such blocks."""
    zone_ids: Mapping[str, tuple[str, ...]]
    """The zones that offer the type, by Region; empty where no source states them."""
    efa_interfaces: int | None = None
    """EFA interfaces that an instance has at most."""
    local_storage_gb: int | None = None
    """The size of its instance store."""
    ultraserver: UltraServer | None = None

    def offered_zone_ids(self, region: str) -> tuple[str, ...]:
        return self.zone_ids.get(region, ())


class Region(SourcedFact, frozen=True, kw_only=True):
    zone_ids: tuple[str, ...]
    eks_image_registry: str | None = None
    """Host of the ECR registry of EKS, whose account owns the AMIs of EKS too."""
    eks_control_plane_excluded: tuple[str, ...] = ()
    """Zones in which EKS places no interfaces of control planes."""


class Limit(SourcedFact, frozen=True, kw_only=True):
    """A limit of a service: of a number, or of the length and the characters of a text."""

    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    pattern_in_words: str | None = None

    def problem_with(self, text: str) -> str | None:
        """Why the service rejects the text, as a clause; None if it is valid."""
        if self.maximum is not None and len(text) > self.maximum:
            return f"is {len(text)} characters long, at most {self.maximum} are allowed"
        if self.minimum is not None and len(text) < self.minimum:
            return f"is {len(text)} characters long, at least {self.minimum} are needed"
        if self.pattern is not None and not re.fullmatch(self.pattern, text):
            return f"must be {self.pattern_in_words}"
        return None

    def require_minimum(self) -> int:
        """The minimum. Raises ``LookupError`` where no source has one."""
        return self._required(self.minimum, "minimum")

    def require_maximum(self) -> int:
        """The maximum. Raises ``LookupError`` where no source has one."""
        return self._required(self.maximum, "maximum")

    def _required(self, number: int | None, end: str) -> int:
        if number is None:
            raise LookupError(f"the limit {self.name} has no {end}")
        return number


class KubernetesVersion(SourcedFact, frozen=True, kw_only=True):
    """A minor version of EKS, ``1.35``."""

    released: date


class AmiType(SourcedFact, frozen=True, kw_only=True):
    """An AMI type of EKS managed node groups. Without ``ssm_parameter_pattern`` EKS publishes no images of it."""

    ssm_parameter_pattern: str | None
    release_version_parameter_pattern: str | None
    root_device: str | None
    root_volume_gib: int | None

    @property
    def is_published(self) -> bool:
        return self.ssm_parameter_pattern is not None

    @property
    def root_device_name(self) -> str:
        """Device name of the root volume."""
        return _required(self.root_device, self.name)

    @property
    def root_volume_minimum_gib(self) -> int:
        """Size of the image itself."""
        return _required(self.root_volume_gib, self.name)

    def ssm_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter with the recommended AMI id for this Kubernetes version."""
        return _required(self.ssm_parameter_pattern, self.name).format(kubernetes_version=kubernetes_version)

    def release_version_parameter(self, kubernetes_version: str) -> str:
        """The SSM parameter with the newest AMI release version."""
        pattern = _required(self.release_version_parameter_pattern, self.name)
        return pattern.format(kubernetes_version=kubernetes_version)


class AmiRelease(SourcedFact, frozen=True, kw_only=True):
    """A release of all EKS AMIs of Amazon Linux; its name is its date."""

    kubernetes_patches: Mapping[str, str]
    """The patch that its images run, by minor version."""

    def release_version(self, kubernetes_version: str) -> str | None:
        """``1.36.2-20260714`` for ``1.36``; None when no source states that this release has the minor version."""
        patch = self.kubernetes_patches.get(kubernetes_version)
        return f"{patch}-{self.name}" if patch else None


class ManagedAddon(SourcedFact, frozen=True, kw_only=True):
    """An EKS add-on. One that ``needs_nodes`` is degraded until a node can run it."""

    namespace: str
    service_accounts: tuple[str, ...]
    pod_identity_service_accounts: tuple[str, ...]
    needs_nodes: bool

    @property
    def needs_pod_identity(self) -> bool:
        """Whether the add-on calls AWS and so requires a role through Pod Identity."""
        return bool(self.pod_identity_service_accounts)


class LustreDeployment(SourcedFact, frozen=True, kw_only=True):
    """A deployment type of FSx for Lustre on SSD, by the name that its API uses. Capacities are in GiB."""

    durable: bool
    first_capacities_gib: tuple[int, ...]
    """Sizes below the multiples of ``capacity_step_gib``."""
    capacity_step_gib: int
    throughput_tiers: tuple[int, ...]
    """In MB/s per TiB; none where FSx fixes it."""
    versions: tuple[str, ...]
    metadata_iops: tuple[int, ...]
    metadata_iops_step: int | None
    metadata_iops_maximum: int | None
    efa_capacity_step_gib: Mapping[int, int]
    """The step of the capacity of a file system with EFA, by throughput tier."""
    data_repository_association: bool
    most_data_repository_associations: int

    def allows_capacity(self, capacity_gib: int) -> bool:
        """Whether a file system of this size can be created."""
        return capacity_gib in self.first_capacities_gib or (
            capacity_gib > max(self.first_capacities_gib) and capacity_gib % self.capacity_step_gib == 0
        )

    def allows_metadata_iops(self, iops: int) -> bool:
        """Whether user-provisioned metadata IOPS may have this value."""
        if iops in self.metadata_iops:
            return True
        if self.metadata_iops_step is None or self.metadata_iops_maximum is None:
            return False
        return 0 < iops <= self.metadata_iops_maximum and iops % self.metadata_iops_step == 0


class EndpointService(SourcedFact, frozen=True, kw_only=True):
    """A service with a VPC endpoint, and the only kind of endpoint that it has."""

    kind: str
    service_name_pattern: str

    def service_name(self, region: str) -> str:
        return self.service_name_pattern.format(region=region)


class PullThroughUpstream(SourcedFact, frozen=True, kw_only=True):
    """A registry that ECR can cache; its name is its value in ECR's API."""

    registry_url: str
    needs_secret: bool


class MachineImage(SourcedFact, frozen=True, kw_only=True):
    """A kind of Deep Learning AMI, and the public SSM parameter with the newest one."""

    title: str
    ssm_parameter: str
    root_device_name: str
    neuron_sdk: str
    regions_without_parameter: tuple[str, ...]


class ResourceSchema(SourcedFact, frozen=True, kw_only=True):
    """A resource type, ``AWS::EC2::Subnet``."""

    create_only: tuple[PropertyPath, ...] = ()
    """Properties whose change replaces a resource of this type."""
    primary_identifier: tuple[str, ...] = ()
    """The properties or attributes that together identify a resource of this type."""
    given_identifier: tuple[PropertyPath, ...] = ()
    """The properties that identify a resource where the template gives them; none where the service does."""
    tags_follow_stack: bool = False
    """Whether a change of the stack's tags reaches an existing resource of this type."""


class PublishedCode(SourcedFact, frozen=True, kw_only=True):
    """Files of a package that the local AWS may run when a function or a layer holds them."""

    package_version: str
    files: Mapping[str, str]
    """SHA-256 in hexadecimal digits, by the path in the archive."""


def _required(fact: Fact | None, name: str) -> Fact:
    if fact is None:
        raise LookupError(f"no source states this of {name}")
    return fact

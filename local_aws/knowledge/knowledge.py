"""The facts about AWS that the local AWS requires from the product that starts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from local_aws.cloudformation.schemas import ResourceSchemas
from local_aws.knowledge.rows import (
    AmiRelease,
    AmiType,
    EndpointService,
    InstanceType,
    KubernetesVersion,
    Limit,
    LustreDeployment,
    MachineImage,
    ManagedAddon,
    PublishedCode,
    PullThroughUpstream,
    Region,
)


class Knowledge(Protocol):
    """Tables of facts by name. A table may be read at its first use; it never changes after that.

    What a table does not have, the local AWS answers from moto and botocore, or refuses by name.
    """

    @property
    def instance_types(self) -> Mapping[str, InstanceType]: ...
    @property
    def regions(self) -> Mapping[str, Region]: ...
    @property
    def limits(self) -> Mapping[str, Limit]: ...
    @property
    def kubernetes_versions(self) -> Mapping[str, KubernetesVersion]: ...
    @property
    def ami_types(self) -> Mapping[str, AmiType]: ...
    @property
    def ami_releases(self) -> Mapping[str, AmiRelease]:
        """The newest first."""

    @property
    def managed_addons(self) -> Mapping[str, ManagedAddon]: ...
    @property
    def lustre_deployments(self) -> Mapping[str, LustreDeployment]: ...
    @property
    def endpoint_services(self) -> Mapping[str, EndpointService]: ...
    @property
    def pull_through_upstreams(self) -> Mapping[str, PullThroughUpstream]: ...
    @property
    def machine_images(self) -> Mapping[str, MachineImage]: ...
    @property
    def published_code(self) -> Mapping[str, PublishedCode]: ...
    @property
    def resource_schemas(self) -> ResourceSchemas: ...

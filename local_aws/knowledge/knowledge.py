"""The facts about AWS that the local AWS requires from the product that starts it."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Generic, TypeVar

from msgspec import Struct

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
    ResourceSchema,
)

Row = TypeVar("Row", bound=Struct)


class Table(Generic[Row]):
    """An attribute of ``Knowledge``: rows by name, read at their first use, which never change after that."""

    def __init__(self, kind: type[Row]) -> None:
        self._kind = kind

    def __set_name__(self, owner: type[Knowledge], name: str) -> None:
        self._name = name

    def __get__(self, knowledge: Knowledge, owner: type[Knowledge]) -> Mapping[str, Row]:
        rows = vars(knowledge)[self._name] = knowledge.rows(self._name, self._kind)
        return rows


class Knowledge(abc.ABC):
    """Tables of facts. What a table does not have, the local AWS answers from moto and botocore, or refuses by name."""

    instance_types = Table(InstanceType)
    regions = Table(Region)
    limits = Table(Limit)
    kubernetes_versions = Table(KubernetesVersion)
    ami_types = Table(AmiType)
    ami_releases = Table(AmiRelease)
    """The newest first."""
    managed_addons = Table(ManagedAddon)
    lustre_deployments = Table(LustreDeployment)
    endpoint_services = Table(EndpointService)
    pull_through_upstreams = Table(PullThroughUpstream)
    machine_images = Table(MachineImage)
    published_code = Table(PublishedCode)
    resource_schemas = Table(ResourceSchema)

    @abc.abstractmethod
    def rows(self, table: str, kind: type[Row]) -> Mapping[str, Row]:
        """The rows of a table, by the name that it has here."""

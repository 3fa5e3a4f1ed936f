"""The facts that come with the local AWS: one JSON file for each table, each row with its source and date."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from typing import TypeVar

import msgspec
from msgspec import Struct

from local_aws.cloudformation.schemas import PropertyPath
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

Row = TypeVar("Row", bound=Struct)


class ResourceSchema(Struct, frozen=True, kw_only=True):
    """What ``ResourceSchemas`` returns of one type."""

    create_only: tuple[PropertyPath, ...]
    given_identifier: tuple[PropertyPath, ...]
    tags_follow_stack: bool


def rows(table: str, kind: type[Row]) -> Mapping[str, Row]:
    """The table in ``facts/``."""
    text = resources.files("local_aws.knowledge").joinpath("facts", f"{table}.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, kind])  # type: ignore[valid-type]  # the class is the argument


class VendoredSchemas:
    """``ResourceSchemas`` by ``facts/resource_schemas.json``."""

    @cached_property
    def _rows(self) -> Mapping[str, ResourceSchema]:
        return rows("resource_schemas", ResourceSchema)

    def create_only(self, type_name: str) -> frozenset[PropertyPath]:
        row = self._rows.get(type_name)
        return frozenset(row.create_only) if row is not None else frozenset()

    def given_identifier(self, type_name: str) -> tuple[PropertyPath, ...]:
        row = self._rows.get(type_name)
        return row.given_identifier if row is not None else ()

    def tags_follow_stack(self, type_name: str) -> bool:
        row = self._rows.get(type_name)
        return row is not None and row.tags_follow_stack


class VendoredKnowledge:
    """``Knowledge`` where the caller of ``LocalAws`` gives none."""

    @cached_property
    def instance_types(self) -> Mapping[str, InstanceType]:
        return rows("instance_types", InstanceType)

    @cached_property
    def regions(self) -> Mapping[str, Region]:
        return rows("regions", Region)

    @cached_property
    def limits(self) -> Mapping[str, Limit]:
        return rows("limits", Limit)

    @cached_property
    def kubernetes_versions(self) -> Mapping[str, KubernetesVersion]:
        return rows("kubernetes_versions", KubernetesVersion)

    @cached_property
    def ami_types(self) -> Mapping[str, AmiType]:
        return rows("ami_types", AmiType)

    @cached_property
    def ami_releases(self) -> Mapping[str, AmiRelease]:
        return rows("ami_releases", AmiRelease)

    @cached_property
    def managed_addons(self) -> Mapping[str, ManagedAddon]:
        return rows("managed_addons", ManagedAddon)

    @cached_property
    def lustre_deployments(self) -> Mapping[str, LustreDeployment]:
        return rows("lustre_deployments", LustreDeployment)

    @cached_property
    def endpoint_services(self) -> Mapping[str, EndpointService]:
        return rows("endpoint_services", EndpointService)

    @cached_property
    def pull_through_upstreams(self) -> Mapping[str, PullThroughUpstream]:
        return rows("pull_through_upstreams", PullThroughUpstream)

    @cached_property
    def machine_images(self) -> Mapping[str, MachineImage]:
        return rows("machine_images", MachineImage)

    @cached_property
    def published_code(self) -> Mapping[str, PublishedCode]:
        return rows("published_code", PublishedCode)

    @cached_property
    def resource_schemas(self) -> VendoredSchemas:
        return VendoredSchemas()

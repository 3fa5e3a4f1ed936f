"""A resource type of the stack engine that the faults of a test can meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from local_aws.engine.provider import Properties, Resource, ResourceContext, ResourceProvider
from local_aws.faults import Faults


class FaultyProvider(ResourceProvider):
    """A provider behind the faults of its type."""

    def __init__(self, provider: ResourceProvider, faults: Faults) -> None:
        self._provider = provider
        self._faults = faults
        self.replaced_in_place = provider.replaced_in_place
        self.is_importable = provider.is_importable

    def adopt(self, context: ResourceContext, physical_id: str) -> Resource:
        return self._provider.adopt(context, physical_id)

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        self._faults.strike_resource("create", context.resource_type)
        return self._provider.create(context, properties)

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        self._faults.strike_resource("update", context.resource_type)
        return self._provider.update(context, resource, old, new)

    def renewed(self, context: ResourceContext, resource: Resource, most: int) -> Iterator[int]:
        return self._provider.renewed(context, resource, most)

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        self._faults.strike_resource("delete", context.resource_type)
        self._provider.delete(context, resource, properties)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, object]:
        return self._provider.read(context, resource)


def behind_faults(providers: Mapping[str, ResourceProvider], faults: Faults) -> dict[str, ResourceProvider]:
    """The providers by type name, each met by the faults of its type first."""
    return {name: FaultyProvider(provider, faults) for name, provider in providers.items()}

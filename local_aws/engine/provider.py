"""The protocol of a resource type for the engine: four verbs, made of calls to the service's own API.

A provider never keeps state: what exists is what the services of the local AWS say exists. That is what
makes a read-back honest, and what lets a failed update be undone through the same calls.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct, field

from local_aws.resource_types.reader import is_absence_code

Properties = Mapping[str, Any]
"""Resource properties in CloudFormation's spelling, all intrinsic functions resolved."""


class Resource(Struct, frozen=True):
    """An existing resource as CloudFormation knows it."""

    physical_id: str
    """The value of ``Ref``."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Values of ``Fn::GetAtt`` by attribute name (``Endpoint.Address`` is one name)."""
    found_by: Mapping[str, Any] = field(default_factory=dict)
    """Properties without which its physical id alone does not find it, for the few types of which that is so."""
    note: str = ""
    """Shown as the status reason of its last event, e.g. that a chart was recorded only."""


class ResourceContext(Struct, frozen=True):
    """Where a resource lives and on whose behalf the provider acts."""

    account: str
    region: str
    stack_name: str
    stack_id: str
    logical_id: str
    endpoint: str
    """URL of this local AWS, ``http://127.0.0.1:PORT``."""
    stack_tags: Mapping[str, str]
    """Tags given to the stack; a taggable resource carries them, its own tags win."""
    resource_type: str = ""
    """The type as the template names it: tells apart what one provider of ``Custom::*`` serves."""

    def client(self, service: str) -> Any:
        """A boto3 client of the local AWS for this account and Region (cached, no retries)."""
        from local_aws.clients import local_client

        return local_client(service, self.endpoint, self.account, self.region)


class ResourceProvider(abc.ABC):
    """One CloudFormation resource type.

    Every verb raises ``botocore.exceptions.ClientError`` when the service refuses, and
    ``botocore.exceptions.ParamValidationError`` for a property the service does not know; the engine turns
    both into a failed event with the service's own words.
    """

    type_name: str
    replaced_in_place: frozenset[str] = frozenset()
    """Create-only properties that ``update`` takes: the service has one call that ends the old one and makes the new
    one, because both cannot be at a time."""

    is_importable: bool = False
    """Whether ``adopt`` finds existing resources of the type."""

    def adopt(self, context: ResourceContext, physical_id: str) -> Resource:
        """An existing resource. Raises ``ClientError`` when the service has none."""
        raise NotImplementedError(self.type_name, context, physical_id)

    @abc.abstractmethod
    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        """Makes the resource. What it made so far is undone by itself when it raises."""

    @abc.abstractmethod
    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        """Changes the resource in place. Only called when no create-only property differs."""

    def replace_instances(self, context: ResourceContext, resource: Resource, most: int) -> Iterator[int]:  # noqa: ARG002 - for groups of instances
        """Replaces the instances of a group in batches of at most ``most``; yields the size of each batch."""
        yield from ()

    @abc.abstractmethod
    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        """Removes the resource; one that is gone already is no error. Raises the service's errors."""

    @abc.abstractmethod
    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        """The properties as the service returns them now, in CloudFormation's spelling.

        Only what the service answers: a property that cannot be read back is absent.
        """


def is_absence(error: ClientError) -> bool:
    """Whether a service says that a thing is not there."""
    return is_absence_code(error.response["Error"]["Code"])

"""A local AWS for the tests of one module, empty for each of them, and a workbench to use providers at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec import Struct, field

from local_aws.engine.provider import Resource, ResourceContext, ResourceProvider
from local_aws.handlers.discover import discover_providers
from local_aws.server import LocalAws

REGION = "us-west-2"
ACCOUNT = "200000000000"


class Workbench(Struct):
    """Makes, changes, reads and removes resources as the engine would, without a stack."""

    endpoint: str
    account: str
    region: str = REGION
    stack_tags: Mapping[str, str] = field(default_factory=dict)
    providers: Mapping[str, ResourceProvider] = field(default_factory=discover_providers)

    def context(self, logical_id: str = "Thing") -> ResourceContext:
        return ResourceContext(
            account=self.account,
            region=self.region,
            stack_name="workbench",
            stack_id=f"arn:aws:cloudformation:{self.region}:{self.account}:stack/workbench/1",
            logical_id=logical_id,
            endpoint=self.endpoint,
            stack_tags=self.stack_tags,
        )

    def client(self, service: str) -> Any:
        return self.context().client(service)

    def create(self, type_name: str, properties: Mapping[str, Any], logical_id: str = "Thing") -> Resource:
        return self.providers[type_name].create(self.context(logical_id), properties)

    def update(self, type_name: str, resource: Resource, old: Mapping[str, Any], new: Mapping[str, Any]) -> Resource:
        return self.providers[type_name].update(self.context(), resource, old, new)

    def delete(self, type_name: str, resource: Resource, properties: Mapping[str, Any]) -> None:
        self.providers[type_name].delete(self.context(), resource, properties)

    def read(self, type_name: str, resource: Resource) -> dict[str, Any]:
        return self.providers[type_name].read(self.context(), resource)


@pytest.fixture
def bench(local_aws: LocalAws) -> Workbench:
    """The local AWS emptied."""
    local_aws.empty()
    return Workbench(local_aws.endpoint, ACCOUNT)


def contains(actual: Any, given: Any) -> bool:
    """Whether what is read holds what was given: more keys, another order and another scalar type are fine."""
    if isinstance(given, Mapping):
        return isinstance(actual, Mapping) and all(
            key in actual and contains(actual[key], value) for key, value in given.items()
        )
    if isinstance(given, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(given)
            and all(any(contains(each, value) for each in actual) for value in given)
        )
    return str(actual).lower() == str(given).lower() if isinstance(actual, bool) else str(actual) == str(given)


@pytest.fixture
def holds() -> Callable[[Any, Any], bool]:
    return contains

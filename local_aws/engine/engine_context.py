"""What every stack operation works with."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from msgspec import Struct, field

from local_aws.cloudformation.schemas import ResourceSchemas
from local_aws.engine.provider import ResourceProvider
from local_aws.engine.stack_table import StackTable

CUSTOM_RESOURCE = "AWS::CloudFormation::CustomResource"
CUSTOM_PREFIX = "Custom::"


def is_custom(type_name: str) -> bool:
    """Whether a function serves resources of this type."""
    return type_name == CUSTOM_RESOURCE or type_name.startswith(CUSTOM_PREFIX)


class Stopping(Exception):
    """The operation is left where it is, because everything goes away."""


class EngineContext(Struct, frozen=True):
    """One for a whole local AWS."""

    providers: Mapping[str, ResourceProvider]
    """By type name; the provider of custom resources that have none of their own is called ``Custom::*``."""
    endpoint: str
    schemas: ResourceSchemas
    table: StackTable = field(default_factory=StackTable)
    stopping: threading.Event = field(default_factory=threading.Event)

    def provider(self, type_name: str) -> ResourceProvider | None:
        """Who makes resources of this type."""
        return self.providers.get(type_name) or (self.providers.get("Custom::*") if is_custom(type_name) else None)

    def raise_if_stopping(self) -> None:
        """Raises Stopping when the local AWS is being closed."""
        if self.stopping.is_set():
            raise Stopping

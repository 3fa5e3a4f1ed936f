"""The common input of every stack operation."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

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
    """Providers by type name; that of custom resources without another one is called ``Custom::*``."""
    endpoint: str
    table: StackTable = field(default_factory=StackTable)
    stopping: threading.Event = field(default_factory=threading.Event)
    waits: list[str] = field(default_factory=list)
    """Stacks whose resources wait for signals now."""

    def provider(self, type_name: str) -> ResourceProvider | None:
        """Who makes resources of this type."""
        return self.providers.get(type_name) or (self.providers.get("Custom::*") if is_custom(type_name) else None)

    @contextlib.contextmanager
    def waiting(self, stack_id: str) -> Iterator[None]:
        """While it lasts, the stack waits for signals."""
        self.waits.append(stack_id)
        try:
            yield
        finally:
            self.waits.remove(stack_id)

    def raise_if_stopping(self) -> None:
        """Raises Stopping when the local AWS is being closed."""
        if self.stopping.is_set():
            raise Stopping

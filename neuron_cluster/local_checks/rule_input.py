"""The parameters of a call, as the resource that they would be in a template."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from local_aws.contract import Call

REQUEST = "Request"
"""Logical id of the resource that is checked."""


class RuleInput(Struct, frozen=True):
    """A resource in CloudFormation's spelling, and what it refers to."""

    operation: str
    """Rules of this operation check it: ``ec2:RunInstances``, also where another service makes that call."""
    type_name: str
    properties: Mapping[str, Any]
    related: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Existing resources that the properties refer to by ``Ref``, by logical id, as in a template."""
    wrapped_error: tuple[str, str] | None = None
    """Code and first words of a service that returns the error of another one inside its own."""

    def template(self) -> dict[str, Any]:
        """A template of what exists and, last, of what the call would create."""
        return {"Resources": {**self.related, REQUEST: {"Type": self.type_name, "Properties": self.properties}}}


RequestReader = Callable[[Call], Iterator[RuleInput]]
REQUEST_READERS: dict[tuple[str, str], RequestReader] = {}
"""How the calls of each operation are read. Filled by the modules of this package."""


def request_reader(service: str, *operations: str) -> Callable[[RequestReader], RequestReader]:
    """Registers the function as the reader of these operations' calls."""

    def register(function: RequestReader) -> RequestReader:
        for name in operations:
            if (service, name) in REQUEST_READERS:
                raise RuntimeError(f"two functions read {service}:{name}")
            REQUEST_READERS[service, name] = function
        return function

    return register


def existing(type_name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A resource that exists already."""
    return {"Type": type_name, "Properties": properties}

"""What a call asks for, as the resource that it would be in a template."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from neuron_cluster.local_aws.service import Call

REQUEST = "Request"
"""Logical id of the resource that is judged."""


class Subject(Struct, frozen=True):
    """A resource in CloudFormation's spelling, and what it refers to."""

    operation: str
    """Rules of this operation judge it: ``ec2:RunInstances``, also where another service makes that call."""
    type_name: str
    properties: Mapping[str, Any]
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Existing resources that the properties refer to by ``Ref``, by logical id, as in a template."""
    passed_on: tuple[str, str] | None = None
    """Code and opening words of a service that passes the refusal of another one on."""

    def template(self) -> dict[str, Any]:
        """A template of what exists and, last, of what is asked for."""
        return {"Resources": {**self.beside, REQUEST: {"Type": self.type_name, "Properties": self.properties}}}


Reading = Callable[[Call], Iterator[Subject]]
READINGS: dict[tuple[str, str], Reading] = {}
"""How the calls of each operation are read. Filled by the modules of this package."""


def reading(service: str, *operations: str) -> Callable[[Reading], Reading]:
    """Registers the function as the reader of these operations' calls."""

    def register(function: Reading) -> Reading:
        for name in operations:
            if (service, name) in READINGS:
                raise RuntimeError(f"two functions read {service}:{name}")
            READINGS[service, name] = function
        return function

    return register


def existing(type_name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A resource that exists already."""
    return {"Type": type_name, "Properties": properties}


def as_properties(call: Call) -> dict[str, Any]:
    """The parameters of the call in CloudFormation's spelling."""
    from moto.core.utils import get_service_model

    from neuron_cluster.local_aws.resources.shapes import in_properties

    shape = get_service_model(call.service).operation_model(call.operation).input_shape
    return in_properties(call.parameters, shape)


def row_as_properties(row: Any) -> Any:
    """What an operation remembers, in CloudFormation's spelling; labels and tags keep the user's."""
    if not isinstance(row, Mapping):
        return row
    return {
        name[:1].upper() + name[1:]: value if name in ("labels", "tags") else row_as_properties(value)
        for name, value in row.items()
    }

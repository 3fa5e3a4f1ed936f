"""Which operations a type has, by the handlers of its schema, and which of their parameters name the resource."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import botocore.session

from derivation.members import member_named, required_members
from derivation.type_data import CallData, TypeData
from local_aws.resource_types.binding import BoundCall, TagCalls

CREATING = ("Create", "Put", "Register", "Add", "Publish", "Allocate", "Attach", "Associate", "Subscribe")
READING = ("Describe", "Get", "List")
UPDATING = ("Update", "Modify", "Set", "Put", "Replace")
DELETING = ("Delete", "Deregister", "Remove", "Release", "Detach", "Disassociate", "Unsubscribe")


class NotDerivedError(ValueError):
    """The schema and the model do not determine the binding: the type needs a row of data, or a longer one."""


@functools.cache
def _session() -> Any:
    return botocore.session.Session()


@functools.cache
def service_model(service: str) -> Any:
    return _session().get_service_model(service)


class TypeOperations:
    """One type, its schema, its service and the data of its row."""

    def __init__(self, type_name: str, schema: Mapping[str, Any], data: TypeData) -> None:
        self.type_name, self.schema, self.data = type_name, schema, data
        self.service = data.service or type_name.split("::")[1].lower()
        self.noun = type_name.split("::")[2].lower()
        self.model = service_model(self.service)
        self.identifier = tuple(property_names(schema["primaryIdentifier"]))
        self.read_only = set(property_names(schema.get("readOnlyProperties", [])))
        tagging = schema.get("tagging", {})
        self.tag_property = tagging.get("tagProperty", "/properties/Tags").removeprefix("/properties/")
        if isinstance(data.tags, TagCalls):
            self.tag_property = data.tags.property
        writable = set(schema["properties"]) - self.read_only
        is_tagged = tagging.get("taggable", True) or isinstance(data.tags, TagCalls)
        self.writable = writable - {self.tag_property} if is_tagged else writable

    def call(self, verb: str, prefixes: tuple[str, ...]) -> BoundCall:
        given: CallData | None = getattr(self.data, verb)
        if isinstance(given, BoundCall):
            return given
        name = given or self.operation(verb, prefixes)
        if name is None:
            raise NotDerivedError(f"{self.type_name}: no operation to {verb} it is known")
        return BoundCall(name)

    def operation(self, verb: str, prefixes: tuple[str, ...]) -> str | None:
        """Returns the call of the handler whose name has the type's noun after one of the prefixes."""
        actions = [
            each.partition(":")[2] for each in self.schema.get("handlers", {}).get(verb, {}).get("permissions", [])
        ]
        known = {name.lower(): str(name) for name in self.model.operation_names}
        for prefix in prefixes:
            for noun in (self.noun, f"{self.noun}s"):
                name = known.get(f"{prefix}{noun}".lower())
                if name is not None and name in actions:
                    return name
        return None

    def kind(self, name: str) -> str:
        """The property's type in the schema; of several the one that is no text."""
        schema = self.schema["properties"][name]
        while "$ref" in schema:
            schema = self.schema["definitions"][schema["$ref"].rpartition("/")[2]]
        kind = schema.get("type", "object")
        return str(next((each for each in kind if each != "string"), "string") if isinstance(kind, list) else kind)

    def permitted(self) -> set[str]:
        """The calls of the type's handlers."""
        handlers = (*self.schema.get("handlers", {}).values(), self.schema.get("tagging", {}))
        return {action.partition(":")[2] for handler in handlers for action in handler.get("permissions", [])}

    def with_identity(self, verb: str, prefixes: tuple[str, ...]) -> BoundCall:
        """The call with the identifier as parameters, unless the data has the call in full."""
        call = self.call(verb, prefixes)
        if isinstance(getattr(self.data, verb), BoundCall):
            return call
        return BoundCall(call.operation, self.identity(self.input(call.operation)))

    def identity(self, shape: Any, filled: Collection[str] = ()) -> dict[str, Any]:
        """The parameters that name the resource; ``filled`` are those that properties fill."""
        parameters: dict[str, Any] = {}
        for name in self.data.identity or self.identifier:
            member = self.identity_member(shape, name)
            if member is not None:
                is_list = shape.members[member].type_name == "list"
                parameters[member] = [f"{{{name}}}"] if is_list else f"{{{name}}}"
        missing = [name for name in required_members(shape) if name not in {*parameters, *filled}]
        if missing or (not parameters and shape.members):
            raise NotDerivedError(f"{self.type_name}: nothing fills {shape.name}.{', '.join(missing) or '*'}")
        return parameters

    def identity_member(self, shape: Any, name: str) -> str | None:
        """The parameter for a part of the identifier: its name, with the noun or without, or the noun alone."""
        given = self.data.identity.get(name)
        short = name.lower().removeprefix(self.noun)
        usual = (name, f"{self.noun}{name}", f"{self.noun}identifier", short, self.noun)
        for each in (given,) if given else usual:
            for spelled in (each, f"{each}s") if each else ():
                member = member_named(shape, spelled)
                if member is not None:
                    return member
        return None

    def input(self, operation: str) -> Any:
        return self.model.operation_model(operation).input_shape

    def output(self, operation: str) -> Any:
        return self.model.operation_model(operation).output_shape


def property_names(pointers: Iterable[str]) -> Iterator[str]:
    return (pointer.removeprefix("/properties/") for pointer in pointers)

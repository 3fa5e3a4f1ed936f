"""A resource type by its binding, which says which operations create, read, change and delete it.

A type with more to it has a class that extends the handler: ``apply`` for calls of its own, the other methods for
what its row of data cannot say.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError, ParamValidationError

from local_aws.engine.provider import Properties, Resource, ResourceContext, is_absence
from local_aws.handlers.context_source import ContextSource
from local_aws.handlers.service_resource import ServiceResource, generated_name, ignore_not_found, rollback_on_error
from local_aws.handlers.tags import creation_tags, set_tags
from local_aws.handlers.update_requests import update_requests
from local_aws.resource_types.binding import Binding, BoundCall, Setting, Update
from local_aws.resource_types.readers import reader_of
from local_aws.resource_types.templates import Values, filled, formatted, found, names_in, parts_of, put_at
from local_aws.resource_types.values import to_parameter


class GenericHandler(ServiceResource):
    """Follows one binding; the front door checks every call as it checks a user's."""

    def __init__(self, type_name: str, binding: Binding) -> None:
        self.type_name = type_name
        self.binding = binding
        self.reader = reader_of(type_name)
        self.service = binding.service
        self.supported = supported_properties(binding)
        self.required = frozenset(binding.required)
        self.replaced_in_place = frozenset(binding.in_place.properties if binding.in_place is not None else ())

    def adopt(self, context: ResourceContext, physical_id: str) -> Resource:
        self.describe(context, physical_id)
        return self.found(context, physical_id)

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        self.check(context, properties)
        with rollback_on_error() as undo:
            return self.found(context, self.make(context, properties, undo))

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        self.check(context, new)
        bound = self.binding.in_place
        if bound is None or all(new.get(name) == old.get(name) for name in bound.properties):
            self.change(context, resource.physical_id, old, new)
            return self.found(context, resource.physical_id)
        answer = self._send(context, resource.physical_id, BoundCall(bound.operation, bound.parameters), new, {})
        values = Values(context, {**new, **{name: found(path, answer) for name, path in bound.answer.items()}})
        return self.found(context, str(formatted(self.binding.ref, values)))

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        with ignore_not_found():
            self.remove(context, resource.physical_id, properties)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        return self.describe(context, resource.physical_id)

    def found(self, context: ResourceContext, physical_id: str) -> Resource:
        return Resource(physical_id, self.attributes(context, physical_id))

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        """Makes the resource and returns its physical id; puts on ``undo`` what takes each step back."""
        bound = self.binding
        given = self.given(context, properties)
        parameters: dict[str, Any] = {}
        for name, path in bound.properties.items():
            if given.get(name) is not None:
                put_at(parameters, path, self.to_parameter(name, given[name]))
        values = Values(context, given)
        parameters = {
            **filled(bound.create.parameters, values),
            **parameters,
            **self.creation_tags(context, properties),
        }
        answer = self._answer(context, bound.create.operation, parameters)
        if bound.failure and (error := found(bound.failure, answer)):
            # Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateFlowLogs.html, Unsuccessful
            raise ClientError({"Error": error}, bound.create.operation)
        values = Values(context, {**given, **{name: found(path, answer) for name, path in bound.answer.items()}})
        physical_id = str(formatted(bound.ref, values))
        undo.callback(self.remove, context, physical_id, properties)
        for setting in bound.settings:
            self._put(context, physical_id, setting, {}, properties)
        self._attach(context, physical_id, {}, properties)
        self.apply(context, physical_id, {}, properties)
        if bound.tags is not None and not bound.tags.at_creation:
            self.set_tags(context, physical_id, properties)
        return physical_id

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """The part of a creation (``old`` is empty then) and of an update that the type's own code does."""

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Brings what can be changed in place to ``new``."""
        before = {f"@old.{name}": value for name, value in old.items()}
        for update in self.binding.updates:
            self._send_update(context, physical_id, update, old, new, {**new, **before})
        for setting in self.binding.settings:
            self._put(context, physical_id, setting, old, new)
        self.apply(context, physical_id, old, new)
        if self.binding.tags is not None:
            self.set_tags(context, physical_id, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        """Removes the resource; may raise the service's error when it is not there."""
        self._attach(context, physical_id, properties, {})
        try:
            self._send(context, physical_id, self.binding.delete, properties, {})
        except ClientError as error:
            if is_absence(error) or self._is_there(context, physical_id):
                raise

    def _attach(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        for update in self.binding.updates:
            if update.attaches:
                self._send_update(context, physical_id, update, old, new, {**old, **new})

    def _send_update(
        self,
        context: ResourceContext,
        physical_id: str,
        update: Update,
        old: Properties,
        new: Properties,
        values: Properties,
    ) -> None:
        bound = BoundCall(update.operation, update.parameters)
        for request in update_requests(self.binding, update, old, new, self.to_parameter):
            with ignore_not_found() if update.only_removes else contextlib.nullcontext():
                self._send(context, physical_id, bound, values, request)

    def _is_there(self, context: ResourceContext, physical_id: str) -> bool:
        try:
            self.row(context, physical_id)
        except ClientError as error:
            return not is_absence(error)
        return True

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """The properties as the service returns them, in CloudFormation's spelling."""
        self.parts(physical_id)
        return self.reader.describe(ContextSource(context), physical_id)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """Returns the values of ``Fn::GetAtt``."""
        return self.reader.attributes(ContextSource(context), physical_id)

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """Returns the service's present row of this resource. Raises ClientError when it has none."""
        self.parts(physical_id)
        return self.reader.row(ContextSource(context), physical_id)

    def parts(self, physical_id: str) -> dict[str, str]:
        """The names in the physical id. Raises ParamValidationError for one of another form."""
        parts = parts_of(self.binding.parts or self.binding.ref, physical_id)
        if parts is None:
            raise ParamValidationError(report=f"{self.type_name}: {physical_id} is not a valid physical id")
        return parts

    def current_tags(self, context: ResourceContext, physical_id: str) -> dict[str, str]:
        """Returns the tags that the service has, without AWS's own."""
        return self.reader.current_tags(ContextSource(context), physical_id, self.row(context, physical_id))

    def creation_tags(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        """The parameter of the creating operation that has the tags; none without tags."""
        return creation_tags(self.binding, context, properties)

    def set_tags(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        """Brings the tags to those of the properties and of the stack."""
        set_tags(self, context, physical_id, properties)

    def to_parameter(self, name: str, value: Any) -> Any:
        """A property's value as the API takes it."""
        return to_parameter(self.binding, name, value)

    def given(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        """The properties of a creation, with defaults and with the name that CloudFormation generates."""
        bound = self.binding
        for each in bound.rejected:
            if properties.get(each.property) == each.value:
                error = {"Error": {"Code": each.code, "Message": each.message}}
                raise ClientError(error, bound.create.operation)
        given = {**bound.defaults, **properties}
        for name, limit in bound.generated.items():
            if not given.get(name):
                end = filled(bound.name_suffix, Values(context, given)) if bound.name_suffix else ""
                made = generated_name(context, limit - len(bound.name_prefix) - len(end))
                given[name] = f"{bound.name_prefix}{made.lower() if bound.lower_case else made}{end}"
        return given

    def _put(
        self, context: ResourceContext, physical_id: str, setting: Setting, old: Properties, new: Properties
    ) -> None:
        name = setting.property
        if new.get(name) == old.get(name):
            return
        if new.get(name) is None:
            with ignore_not_found():
                self._send(context, physical_id, setting.off, new, {})
            return
        value = self.to_parameter(name, new[name])
        self._send(context, physical_id, setting.put, {**new, name: value}, value if setting.has_parameters else {})

    def _send(
        self,
        context: ResourceContext,
        physical_id: str,
        bound: BoundCall,
        properties: Properties,
        more: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Calls with the parts of the physical id, then the properties, then what the row returns."""

        def attributes() -> dict[str, Any]:
            row = self.row(context, physical_id)
            return {**row, **self.reader.attributes_in(ContextSource(context), physical_id, row)}

        given = {**self.binding.defaults, **properties, **self.parts(physical_id), "@id": physical_id}
        values = Values(context, given, attributes)
        return self._answer(context, bound.operation, {**filled(bound.parameters, values), **more})

    def send(self, context: ResourceContext, physical_id: str, bound: BoundCall, **more: Any) -> dict[str, Any]:
        """A call about this resource, for its tags and its hooks."""
        return self._send(context, physical_id, bound, {}, more)

    def _answer(self, context: ResourceContext, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return self.reader.answer(ContextSource(context), operation, parameters)


def supported_properties(binding: Binding) -> frozenset[str]:
    """Properties that reach the service."""
    tags = {binding.tags.property} if binding.tags is not None else set()
    updated = {name for update in binding.updates for name in (*update.properties, *update.lists, *update.items)}
    settings = {setting.property for setting in binding.settings}
    named = names_in(binding.create.parameters) & {*binding.row, *binding.write_only}
    placed = named | names_in(binding.delete.parameters) & {*binding.write_only}
    bound = {*binding.properties, *binding.in_code, *updated, *settings, *tags, *placed}
    return frozenset(bound) - set(binding.refused)

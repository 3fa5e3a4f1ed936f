"""Cloud Control API: one resource of a CloudFormation type at a time. A request has ended when it is answered.

A resource that neither a stack nor this API made is found where its identifier is its physical id; it is not listed.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from botocore.exceptions import ClientError, ParamValidationError

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.cloudformation.property_changes import property_changes, requires_replacement
from local_aws.contract import Call
from local_aws.engine.provider import Resource, ResourceContext, ResourceProvider, is_absence
from local_aws.engine.stack_engine import stack_engine
from local_aws.engine.status_reasons import ResourceFailedError, provided
from local_aws.knowledge.current import resource_schema
from local_aws.registry import operation
from local_aws.services.cloudcontrol.json_patch import patched

HANDLER_CODE = re.compile(r"HandlerErrorCode: (\w+)\)")
Work = Callable[[], tuple[str, Mapping[str, Any] | None]]
"""Does what is asked for, and returns the identifier and the properties of the resource."""


@operation("cloudcontrol", "CreateResource")
def create_resource(call: Call) -> Mapping[str, Any]:
    provider, desired = _provider(call), _parsed(call, "DesiredState", dict)

    def work() -> tuple[str, Mapping[str, Any]]:
        resource = provided(call.parameters["TypeName"], provider.create, _context(call), desired)
        properties = provider.read(_context(call), resource)
        identifier = _identifier(call, resource, properties)
        _kept(call)[identifier] = msgspec.to_builtins(resource)
        return identifier, properties

    return _event(call, "CREATE", work)


@operation("cloudcontrol", "GetResource")
def get_resource(call: Call) -> Mapping[str, Any]:
    properties = _read(call, _provider(call), _resource(call))
    description = {"Identifier": call.parameters["Identifier"], "Properties": json.dumps(properties)}
    return {"TypeName": call.parameters["TypeName"], "ResourceDescription": description}


@operation("cloudcontrol", "UpdateResource")
def update_resource(call: Call) -> Mapping[str, Any]:
    provider, resource = _provider(call), _resource(call)
    old, patch = _read(call, provider, resource), _parsed(call, "PatchDocument", list)
    try:
        new = patched(old, patch)
    except ValueError as error:
        raise api_error("cloudcontrol.no_json", member="PatchDocument", reason=error) from error

    def work() -> tuple[str, Mapping[str, Any]]:
        changes = property_changes(resource_schema(call.parameters["TypeName"]).create_only, old, new)
        if requires_replacement(changes, provider.replaced_in_place):
            raise ResourceFailedError("The patch changes create-only properties (HandlerErrorCode: NotUpdatable)")
        changed = provided(call.parameters["TypeName"], provider.update, _context(call), resource, old, new)
        return call.parameters["Identifier"], provider.read(_context(call), changed)

    return _event(call, "UPDATE", work)


@operation("cloudcontrol", "DeleteResource")
def delete_resource(call: Call) -> Mapping[str, Any]:
    provider, resource = _provider(call), _resource(call)
    properties = _read(call, provider, resource)

    def work() -> tuple[str, None]:
        provided(call.parameters["TypeName"], provider.delete, _context(call), resource, properties)
        _kept(call).pop(call.parameters["Identifier"], None)
        return call.parameters["Identifier"], None

    return _event(call, "DELETE", work)


@operation("cloudcontrol", "ListResources")
def list_resources(call: Call) -> Mapping[str, Any]:
    provider, rows = _provider(call), []
    for identifier, resource in sorted(_known(call).items()):
        try:
            properties = provider.read(_context(call), resource)
        except ClientError as error:
            if not is_absence(error):
                raise
        else:
            rows.append({"Identifier": identifier, "Properties": json.dumps(properties)})
    return {"TypeName": call.parameters["TypeName"], "ResourceDescriptions": rows}


@operation("cloudcontrol", "GetResourceRequestStatus")
def get_resource_request_status(call: Call) -> Mapping[str, Any]:
    token = call.parameters["RequestToken"]
    for event in call.table("events").values():
        if event["RequestToken"] == token:
            return {"ProgressEvent": event}
    raise api_error("cloudcontrol.request_token_not_found", token=token)


def _event(call: Call, verb: str, work: Work) -> dict[str, Any]:
    """Does the work, once for each client token, and keeps how it ended."""
    events, given = call.table("events"), dict(call.parameters)
    token = given.get("ClientToken") or str(uuid.uuid4())
    if token in events:
        if call.table("requests")[token] != given:
            raise api_error("cloudcontrol.client_token_used", token=token)
        return {"ProgressEvent": events[token]}
    event = {"TypeName": given["TypeName"], "RequestToken": str(uuid.uuid4()), "Operation": verb}
    event |= {"EventTime": CLOCK.now(), "Identifier": given.get("Identifier")}
    try:
        identifier, properties = work()
        event |= {"Identifier": identifier, "OperationStatus": "SUCCESS"}
        event |= {"ResourceModel": json.dumps(properties)} if properties is not None else {}
    except ResourceFailedError as failure:
        code = HANDLER_CODE.search(str(failure))
        event |= {"OperationStatus": "FAILED", "StatusMessage": str(failure)}
        event["ErrorCode"] = code[1] if code else "InternalFailure"
    call.table("requests")[token] = given
    events[token] = {name: value for name, value in event.items() if value is not None}
    return {"ProgressEvent": events[token]}


def _provider(call: Call) -> ResourceProvider:
    provider = stack_engine(call).engine_context.providers.get(call.parameters["TypeName"])
    if provider is None:
        raise api_error("cloudcontrol.type_not_found", type_name=call.parameters["TypeName"])
    return provider


def _parsed(call: Call, member: str, kind: type) -> Any:
    try:
        value = json.loads(call.parameters[member])
    except ValueError as error:
        raise api_error("cloudcontrol.no_json", member=member, reason=error) from error
    if not isinstance(value, kind):
        raise api_error("cloudcontrol.no_json", member=member, reason=f"it is no {kind.__name__}")
    return value


def _context(call: Call) -> ResourceContext:
    """Names are generated as for a stack without a name."""
    return ResourceContext(call.account, call.region, "cloudcontrol", "", "resource", call.endpoint, {})


def _kept(call: Call) -> dict[str, Any]:
    """The resources of the type that this API made, by identifier."""
    return call.table(call.parameters["TypeName"])


def _known(call: Call) -> dict[str, Resource]:
    """Returns the resources of stacks and those that this API created, by identifier."""
    resources = [
        each for stack in stack_engine(call).table.live(call.account, call.region) for each in stack.resources.values()
    ]
    of_type = [each for each in resources if each.type == call.parameters["TypeName"]]
    of_stacks = {_identifier(call, each.resource, each.properties): each.resource for each in of_type}
    return of_stacks | {name: msgspec.convert(each, Resource) for name, each in _kept(call).items()}


def _resource(call: Call) -> Resource:
    wanted = call.parameters["Identifier"]
    return _known(call).get(wanted, Resource(wanted))


def _read(call: Call, provider: ResourceProvider, resource: Resource) -> dict[str, Any]:
    try:
        return provider.read(_context(call), resource)
    except (ClientError, ParamValidationError) as error:
        if isinstance(error, ClientError) and not is_absence(error):
            raise
        wanted = call.parameters["Identifier"]
        raise api_error(
            "cloudcontrol.resource_not_found", type_name=call.parameters["TypeName"], identifier=wanted
        ) from error


def _identifier(call: Call, resource: Resource, properties: Mapping[str, Any]) -> str:
    """The values of the primary identifier; the physical id where they are not known."""
    names = resource_schema(call.parameters["TypeName"]).primary_identifier
    values = [resource.attributes.get(name) or properties.get(name) for name in names]
    return "|".join(map(str, values)) if values and all(values) else resource.physical_id

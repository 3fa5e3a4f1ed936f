"""An engine with two small resource types whose service is a dictionary."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from local_aws import clients
from local_aws.cloudformation.template import RESOURCE_KEYS
from local_aws.contract import Call, Store
from local_aws.engine.change_set import ChangeSet
from local_aws.engine.provider import Properties, Resource, ResourceContext, ResourceProvider
from local_aws.engine.signals import signal_resource
from local_aws.engine.stack import Stack
from local_aws.engine.stack_engine import StackEngine

ACCOUNT, REGION = "111122223333", "eu-west-1"
REFUSED = "refused"
"""A value that the service does not take."""
STUCK = "stuck"
"""A value with which a thing cannot be deleted."""


@dataclass
class RemoteState:
    """The service: what exists, and every call made."""

    things: dict[str, dict[str, Any]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    tags: dict[str, Mapping[str, str]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=lambda: {REFUSED})
    """Values that it does not take."""
    stuck: set[str] = field(default_factory=lambda: {STUCK})
    """Values with which a thing cannot be deleted."""
    on_put: Callable[[str], None] = lambda _: None
    """Called when a thing is put: what happens meanwhile."""


def _refusal(code: str, message: str) -> ClientError:
    metadata = {"HTTPStatusCode": 400, "RequestId": "r-1"}
    return ClientError({"Error": {"Code": code, "Message": message}, "ResponseMetadata": metadata}, "PutThing")


class Thing(ResourceProvider):
    """Takes any property; answers ``Echo`` and the number of the last write, ``Version``."""

    numbers = itertools.count(1)
    is_importable = True

    def __init__(self, remote: RemoteState) -> None:
        self.remote = remote

    def new_id(self, properties: Properties) -> str:  # noqa: ARG002 - for the types that are named by it
        return f"thing-{next(self.numbers)}"

    def adopt(self, context: ResourceContext, physical_id: str) -> Resource:
        self.remote.calls.append(f"read {context.logical_id}")
        if physical_id not in self.remote.things:
            raise _refusal("ResourceNotFoundException", f"{physical_id} does not exist")
        return Resource(physical_id, {"Echo": self.remote.things[physical_id].get("Value", "")})

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        self.remote.calls.append(f"create {context.logical_id}")
        physical_id = self.new_id(properties)
        if physical_id in self.remote.things:
            raise _refusal("ParameterAlreadyExists", f"{physical_id} already exists")
        return self._put(context, physical_id, properties)

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:  # noqa: ARG002 - the signature of a handler
        self.remote.calls.append(f"update {context.logical_id}")
        return self._put(context, resource.physical_id, new)

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        self.remote.calls.append(f"delete {context.logical_id}")
        if not self.remote.stuck.isdisjoint(properties.values()):
            raise _refusal("DependencyViolation", "still in use")
        self.remote.things.pop(resource.physical_id, None)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:  # noqa: ARG002 - the signature of a handler
        return dict(self.remote.things[resource.physical_id])

    def _put(self, context: ResourceContext, physical_id: str, properties: Properties) -> Resource:
        self.remote.on_put(context.logical_id)
        if not self.remote.refused.isdisjoint(properties.values()):
            raise _refusal("ValidationException", "the value is not allowed")
        if "bug" in properties.values():
            raise KeyError("a mistake in the provider")
        self.remote.things[physical_id] = dict(properties)
        self.remote.tags[context.logical_id] = context.stack_tags
        return Resource(physical_id, {"Echo": properties.get("Value", ""), "Version": str(next(self.numbers))})


class Subnet(Thing):
    """The service gives the name; CidrBlock is create-only."""

    type_name = "AWS::EC2::Subnet"


class Parameter(Thing):
    """The author gives the name, and it is create-only; so is nothing else."""

    type_name = "AWS::SSM::Parameter"

    def new_id(self, properties: Properties) -> str:
        return str(properties.get("Name", f"parameter-{next(self.numbers)}"))


class Function(Thing):
    """The author gives the name; another property, PackageType, is create-only too."""

    type_name = "AWS::Lambda::Function"

    def new_id(self, properties: Properties) -> str:
        return str(properties["FunctionName"])


class Instance(Thing):
    """May wait for signals."""

    type_name = "AWS::EC2::Instance"


class Group(Thing):
    """May wait for signals; has as many instances as DesiredCapacity."""

    type_name = "AWS::AutoScaling::AutoScalingGroup"

    def replace_instances(self, context: ResourceContext, resource: Resource, most: int) -> Iterator[int]:
        left = int(self.remote.things[resource.physical_id].get("DesiredCapacity", 1))
        while left > 0:
            self.remote.calls.append(f"roll {context.logical_id} {min(most, left)}")
            self.remote.on_put(context.logical_id)
            yield min(most, left)
            left -= most


@dataclass
class Cloud:
    """The engine, spoken to as the API does, each operation run to its end."""

    engine: StackEngine
    remote: RemoteState

    def call(self, operation: str, **parameters: Any) -> Call:
        """A call of an operation of CloudFormation."""
        store = Store()
        store.share(self.engine)
        endpoint = self.engine.engine_context.endpoint
        return Call("cloudformation", operation, ACCOUNT, REGION, parameters, store, endpoint, clients)

    def create(self, name: str, template: Any, **given: Any) -> Stack:
        stack = self.engine.create_stack(ACCOUNT, REGION, self.request(name, template, given))
        self.engine.wait()
        return stack

    def start(self, name: str, template: Any, **given: Any) -> Stack:
        """Creates or updates until the operation ends or waits for signals."""
        verb = self.engine.update_stack if self.find(name) else self.engine.create_stack
        stack = verb(ACCOUNT, REGION, self.request(name, template, given))
        self.engine.linger(stack)
        return stack

    def signal(self, stack: Stack, logical_id: str, *signals: str) -> None:
        """Each is ``unique id=status``."""
        for unique_id, _, status in (signal.partition("=") for signal in signals):
            given = {"LogicalResourceId": logical_id, "UniqueId": unique_id, "Status": status}
            signal_resource(self.engine.table, stack, given)

    def update(self, name: str, template: Any, **given: Any) -> Stack:
        stack = self.engine.update_stack(ACCOUNT, REGION, self.request(name, template, given))
        self.engine.wait()
        return stack

    def change_set(self, name: str, template: Any, **given: Any) -> ChangeSet:
        given = {"ChangeSetName": "planned", **given}
        return self.engine.change_sets.create(ACCOUNT, REGION, self.request(name, template, given))

    def execute(self, change_set: ChangeSet, **given: Any) -> Stack:
        self.engine.execute_change_set(change_set, given)
        self.engine.wait()
        return change_set.stack

    def roll_back(self, stack: Stack, **given: Any) -> Stack:
        self.engine.roll_back_stack(stack, given)
        self.engine.wait()
        return stack

    def delete(self, stack: Stack, **given: Any) -> Stack:
        self.engine.delete_stack(stack, given)
        self.engine.wait()
        return stack

    @staticmethod
    def history(stack: Stack) -> list[str]:
        """The events as ``logical id, status`` lines, oldest first."""
        return [f"{event.logical_id} {event.status}" for event in stack.events]

    def find(self, name: str) -> Stack | None:
        return self.engine.table.find(ACCOUNT, REGION, name)

    @staticmethod
    def request(name: str, template: Any, given: Mapping[str, Any]) -> dict[str, Any]:
        body = template if isinstance(template, str) else json.dumps(template)
        return {"StackName": name, "TemplateBody": body, **given}


def new_cloud(remote: RemoteState) -> Cloud:
    """A cloud whose only service is the shelf."""
    kinds = (Subnet, Parameter, Function, Instance, Group)
    providers = {kind.type_name: kind(remote) for kind in kinds}
    return Cloud(StackEngine(providers, "http://127.0.0.1:9"), remote)


def resource(type_name: str = "AWS::EC2::Subnet", **parts: Any) -> dict[str, Any]:
    """A resource of a template; attributes of CloudFormation are next to Properties, the others in it."""
    beside = RESOURCE_KEYS - {"Type", "Properties"}
    definition = {"Type": type_name, **{name: part for name, part in parts.items() if name in beside}}
    return {**definition, "Properties": {name: part for name, part in parts.items() if name not in beside}}

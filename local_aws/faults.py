"""Faults for tests: what happens on AWS now and then, made to happen here and now.

Every fault holds inside a ``with`` block. ``injected`` counts how often it did, so that a test can tell that the
fault was met and not gone around. One that can never be injected, for a misspelled name, is refused with ValueError.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast, get_args

from botocore.exceptions import ClientError, UnknownServiceError
from moto.core.model import ServiceModel
from moto.core.utils import get_service_model

from local_aws.api_errors import api_error
from local_aws.contract import Scarcity, Unhealthy
from local_aws.engine.engine_context import CUSTOM_PREFIX, CUSTOM_RESOURCE
from local_aws.engine.provider import ResourceContext, ResourceProvider
from local_aws.knowledge.current import knowledge

Fault = TypeVar("Fault")
Verb = Literal["create", "update", "delete"]
NODE_ID, GROUP_NAME = re.compile("i-[a-f0-9]{8}([a-f0-9]{9})?"), re.compile("[a-zA-Z0-9](-*[a-zA-Z0-9])*")
"""Source: botocore 1.44.5, sagemaker ClusterNodeId and ClusterInstanceGroupName"""
FAILURE = "The service failed on request of a test."


@dataclass
class CallFault:
    """A fault of one API operation. ``times`` None: until the block ends."""

    kind: Literal["throttling", "access denied", "dropped connection"]
    service: str
    operation: str
    times: int | None = None
    injected: int = 0

    def __post_init__(self) -> None:
        require_times(self.times)
        self.signing_name = require_operation(self.service, self.operation).signing_name


@dataclass
class ResourceFault:
    """A fault of one resource type in stacks: a verb that fails, or waits until it is released.

    ``times`` None: until the block ends.
    """

    verb: Verb
    type_name: str
    message: str = ""
    times: int | None = None
    reached: threading.Event = field(default_factory=threading.Event)
    """Set when a resource has come to the fault."""
    released: threading.Event = field(default_factory=threading.Event)
    """A slow resource waits for it."""
    injected: int = 0


class Faults:
    """The faults of one local AWS, whose stacks make resources of these types; without any it costs nothing."""

    def __init__(
        self,
        type_names: Collection[str] = (),
        scarce: MutableMapping[str, Scarcity] | None = None,
        unhealthy: MutableMapping[str, Unhealthy] | None = None,
    ) -> None:
        """``scarce`` is where launches look for machines that EC2 does not have, ``unhealthy`` where HyperPod looks."""
        self._type_names = type_names
        self._scarce: MutableMapping[str, Scarcity] = {} if scarce is None else scarce
        self._unhealthy: MutableMapping[str, Unhealthy] = {} if unhealthy is None else unhealthy
        self._calls: list[CallFault] = []
        self._resources: list[ResourceFault] = []
        self._lock = threading.Lock()

    def throttling(self, service: str, operation: str, *, times: int) -> contextlib.AbstractContextManager[CallFault]:
        """The first ``times`` calls are refused as too many."""
        return _among(self._calls, CallFault("throttling", service, operation, times))

    def access_denied(self, service: str, operation: str) -> contextlib.AbstractContextManager[CallFault]:
        return _among(self._calls, CallFault("access denied", service, operation))

    def dropped_connection(
        self, service: str, operation: str, *, times: int = 1
    ) -> contextlib.AbstractContextManager[CallFault]:
        """The connection ends without an answer, before the call does anything."""
        return _among(self._calls, CallFault("dropped connection", service, operation, times))

    def failing(
        self, verb: Verb, type_name: str, *, times: int | None = None
    ) -> contextlib.AbstractContextManager[ResourceFault]:
        """Every create, update or delete of this resource type in a stack fails, or the first ``times`` of them.

        The rollback of an update is an update too: ``times=1`` lets it through.
        """
        require_times(times)
        return self._resource_fault(ResourceFault(verb, type_name, message=FAILURE, times=times))

    def slow(self, verb: Verb, type_name: str) -> contextlib.AbstractContextManager[ResourceFault]:
        """Every such resource waits for ``released``, which the end of the block sets too."""
        return self._resource_fault(ResourceFault(verb, type_name))

    def is_holding(self) -> bool:
        """Whether a resource waits for ``released``."""
        return any(
            each.reached.is_set() and not each.message and not each.released.is_set() for each in list(self._resources)
        )

    @contextlib.contextmanager
    def scarce(self, instance_type: str, *, available: int = 0) -> Iterator[Scarcity]:
        """EC2 has this many instances of the type in addition to reservations and blocks, running ones included.

        A managed node group that wants more starts those that there are, and fails.
        """
        require_instance_type(instance_type, available)
        fault = self._scarce[instance_type] = Scarcity(instance_type, available)
        try:
            yield fault
        finally:
            del self._scarce[instance_type]

    def failing_node(self, node_id: str) -> contextlib.AbstractContextManager[Unhealthy]:
        """The node of a HyperPod cluster fails; after the block it is replaced where the cluster replaces nodes."""
        return self._unhealthy_fault("node", "the id", NODE_ID, node_id)

    def failing_health_checks(self, group: str) -> contextlib.AbstractContextManager[Unhealthy]:
        """No node of a HyperPod group of this name passes its deep health checks."""
        return self._unhealthy_fault("group", "the name", GROUP_NAME, group)

    def services(self, signing_name: str) -> set[str]:
        """The services that signatures spell so and of which a call has a fault."""
        return {fault.service for fault in list(self._calls) if fault.signing_name == signing_name}

    def strike_call(self, model: ServiceModel, service: str, operation: str, account: str) -> None:
        """Raises ServiceError, or ConnectionResetError for a dropped connection, when a fault is due."""
        for fault in list(self._calls):
            if (fault.service, fault.operation) == (service, operation) and self._is_due(fault):
                raise _call_failure(fault, model, account)

    def strike_resource(self, verb: Verb, type_name: str) -> None:
        """Raises ClientError, or waits, when a fault is due."""
        for fault in list(self._resources):
            if (fault.verb, fault.type_name) != (verb, type_name) or not self._is_due(fault):
                continue
            fault.reached.set()
            if fault.message:
                error = {"Code": "InternalFailure", "Message": fault.message}
                raise ClientError({"Error": error, "ResponseMetadata": {"HTTPStatusCode": 500}}, verb)
            fault.released.wait()

    def release(self) -> None:
        """Lets every waiting resource go on."""
        for fault in list(self._resources):
            fault.released.set()

    def _is_due(self, fault: CallFault | ResourceFault) -> bool:
        with self._lock:
            if fault.times is not None and fault.injected >= fault.times:
                return False
            fault.injected += 1
            return True

    def _unhealthy_fault(
        self, noun: str, called: str, pattern: re.Pattern[str], name: str
    ) -> contextlib.AbstractContextManager[Unhealthy]:
        if not pattern.fullmatch(name):
            raise ValueError(f"no {noun} of HyperPod has {called} {name!r}")
        return _under_name(self._unhealthy, Unhealthy(name))

    def _resource_fault(self, fault: ResourceFault) -> contextlib.AbstractContextManager[ResourceFault]:
        require_type(fault.verb, Verb, fault.type_name, self._type_names)
        return _among(self._resources, fault, fault.released.set)


@contextlib.contextmanager
def _among(faults: list[Fault], fault: Fault, end: Callable[[], None] = lambda: None) -> Iterator[Fault]:
    """The fault holds in the block."""
    faults.append(fault)
    try:
        yield fault
    finally:
        end()
        faults.remove(fault)


@contextlib.contextmanager
def _under_name(faults: MutableMapping[str, Unhealthy], fault: Unhealthy) -> Iterator[Unhealthy]:
    """The fault holds in the block."""
    faults[fault.name] = fault
    try:
        yield fault
    finally:
        del faults[fault.name]


def _call_failure(fault: CallFault, model: ServiceModel, account: str) -> Exception:
    if fault.kind == "dropped connection":
        return ConnectionResetError(f"dropped: {fault.service}:{fault.operation}")
    if fault.kind == "throttling":
        return api_error("common.throttled", model.protocol)
    action = f"{fault.service}:{fault.operation}"
    return api_error("common.denied", model.protocol, user=f"arn:aws:iam::{account}:user/local", action=action)


def require_operation(service: str, operation: str) -> ServiceModel:
    """The model of the service. Raises ValueError for a service or an operation that botocore does not know."""
    try:
        model = get_service_model(service)
    except UnknownServiceError as error:
        raise ValueError(
            f"there is no service {service!r}; a fault names it as boto3.client() does, such as 'ec2' or 'efs'"
        ) from error
    if operation not in model.operation_names:
        raise ValueError(f"{service} has no operation {operation!r}{_near(operation, model.operation_names)}")
    return model


def require_type(verb: str, verbs: object, type_name: str, known: Collection[str]) -> None:
    """Raises ValueError for a verb other than the ``verbs``, or a type that no stack of this local AWS makes."""
    if verb not in get_args(verbs):
        raise ValueError(f"a resource knows no {verb!r}; a fault meets one of {', '.join(get_args(verbs))}")
    custom = type_name == CUSTOM_RESOURCE or (type_name.startswith(CUSTOM_PREFIX) and not type_name.endswith("*"))
    made = [name for name in known if not name.startswith(CUSTOM_PREFIX)]
    if not custom and type_name not in made:
        raise ValueError(f"this local AWS makes no resource of the type {type_name!r}{_near(type_name, made)}")


def require_instance_type(name: str, available: int) -> None:
    """Raises ValueError for a type that the catalog does not have, or fewer machines than none."""
    if name not in knowledge().instance_types:
        raise ValueError(f"the catalog has no instance type {name!r}{_near(name, knowledge().instance_types)}")
    if available < 0:
        raise ValueError(f"EC2 has no machine or more, not {available}")


def require_times(times: int | None) -> None:
    """Raises ValueError for a fault that is injected less than once."""
    if times is not None and times < 1:
        raise ValueError(f"a fault is injected once or more, not {times} times")


def _near(given: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(given, known)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


class FaultyProvider:
    """A provider behind the faults of its type; all but the verbs of faults is the provider's own."""

    def __init__(self, provider: ResourceProvider, faults: Faults) -> None:
        self._provider, self._faults = provider, faults

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._provider, name)
        if name not in get_args(Verb):
            return own

        def met(context: ResourceContext, *arguments: Any) -> Any:
            self._faults.strike_resource(cast("Verb", name), context.resource_type)
            return own(context, *arguments)

        return met


def behind_faults(providers: Mapping[str, ResourceProvider], faults: Faults) -> dict[str, ResourceProvider]:
    """The providers by type name, each met by the faults of its type first."""
    return {name: cast("ResourceProvider", FaultyProvider(each, faults)) for name, each in providers.items()}

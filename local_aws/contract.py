"""The contract of operations and handlers with every other part: a request, what is stored, and the error of a service.

This module imports no other module of ``local_aws``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

BAD_REQUEST = 400
Shared = TypeVar("Shared")


class ServiceError(Exception):
    """An error of a service: its error code, its message and its HTTP status.

    A code that the service's model has is sent with the model's status unless ``status`` is another one.
    """

    def __init__(self, code: str, message: str, *, status: int = BAD_REQUEST) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


@dataclass
class Scarcity:
    """The number of instances of one type that run at most, in addition to those in reservations and blocks."""

    instance_type: str
    available: int
    injected: int = 0
    """Launches that failed or were cut because of it."""


@dataclass
class Unhealthy:
    """A node of HyperPod that fails, or a group of it of which no node passes deep health checks."""

    name: str
    injected: int = 0
    """Nodes that failed because of it, and clusters that did not get their nodes."""


@dataclass
class Store:
    """The state of the operations: tables of rows by account, Region and table name."""

    tables: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)
    principals_must_exist: bool = False
    """Whether EKS accepts access entries only for IAM principals that exist, as on AWS."""
    is_fresh_account: bool = False
    """Whether accounts have the quotas of new AWS accounts; otherwise every environment is within them."""
    scarce: dict[str, Scarcity] = field(default_factory=dict)
    """Instance types by name of which EC2 has a limited number of instances; faults add and remove them."""
    unhealthy: dict[str, Unhealthy] = field(default_factory=dict)
    """Nodes by id, and instance groups by name, of HyperPod that fail; faults add and remove them."""
    is_named: bool = True
    """Whether answers carry the header that only a local AWS has; tests that play AWS turn it off."""
    _shared: dict[type, Any] = field(default_factory=dict)

    def share(self, component: object) -> None:
        """Makes a component of the local AWS available to operations: its stacks, or what runs its functions."""
        self._shared[type(component)] = component

    def shared(self, kind: type[Shared]) -> Shared:
        """Returns the component of this class. Raises RuntimeError where the local AWS was made without one."""
        if kind not in self._shared:
            raise RuntimeError(f"this local AWS was made without {kind.__name__}")
        component: Shared = self._shared[kind]
        return component

    def table(self, account: str, region: str, name: str) -> dict[str, Any]:
        """Returns the rows of one table, by key. ``name`` is ``<service>.<plural>``, e.g. ``eks.addons``."""
        return self.tables.setdefault((account, region, name), {})


class Clients(Protocol):
    """Access of an operation to the other services of this local AWS."""

    def local_client(self, service: str, endpoint: str, account: str, region: str) -> Any: ...
    def moto_backend(self, service: str, account: str, region: str) -> Any: ...


class Call(Struct, frozen=True):
    """One API request, parsed and checked."""

    service: str
    """botocore's name of the service, ``eks``."""
    operation: str
    """The API's name of the operation, ``CreateAddon``."""
    account: str
    region: str
    parameters: Mapping[str, Any]
    """Input members in the API's spelling; absent ones are absent."""
    store: Store
    endpoint: str
    clients: Clients

    def table(self, name: str) -> dict[str, Any]:
        """Returns the rows of this service in this account and Region: ``call.table("addons")``."""
        return self.store.table(self.account, self.region, f"{self.service}.{name}")

    def client(self, service: str) -> Any:
        """Returns a boto3 client of this local AWS for the caller's account and Region."""
        return self.clients.local_client(service, self.endpoint, self.account, self.region)

    def moto_backend(self, service: str) -> Any:
        """Returns moto's backend of a service for the caller's account and Region (``global`` services included)."""
        return self.clients.moto_backend(service, self.account, self.region)


ORIGIN: ContextVar[Call] = ContextVar("ORIGIN")
"""A call of the local AWS that answers the current request; its account, operation and parameters have no meaning."""


def call_of(backend: Any, service: str, operation: str, parameters: Mapping[str, Any] | None = None) -> Call:
    """Returns a call by one of moto's backends, in the account and Region of that backend."""
    return replace(
        ORIGIN.get(),
        service=service,
        operation=operation,
        account=backend.account_id,
        region=backend.region_name,
        parameters=parameters or {},
    )

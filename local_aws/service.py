"""API operations that this local AWS answers itself, and guards; every other call goes on to moto.

An operation is a plain function. The front door parses the HTTP request by botocore's service model, checks
it against that model's input shape, calls the function and writes its answer by the output shape, so that an
operation neither sees a protocol nor can answer with a field the service does not have.

An operation of ours refuses what only it can know. What is true of a call whoever answers it (a rule of the
service, a quota, a reservation) is a guard: it stands in one place and also holds for moto's operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

BAD_REQUEST = 400
Part = TypeVar("Part")


class ServiceError(Exception):
    """A refusal in the service's own words: its error code, its message, its HTTP status.

    A code that the service's model knows is sent with the model's status unless ``status`` says otherwise.
    """

    def __init__(self, code: str, message: str, *, status: int = BAD_REQUEST) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


@dataclass
class Scarcity:
    """So many machines of one type run at most, next to those in reservations and blocks."""

    instance_type: str
    available: int
    injected: int = 0
    """Launches that were refused for it, wholly or in part."""


@dataclass
class Store:
    """What the operations remember: tables of rows by account, Region and table name."""

    tables: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)
    principals_must_exist: bool = False
    """Whether EKS takes access entries for IAM principals that exist only, as on AWS."""
    is_fresh_account: bool = False
    """Whether accounts have the quotas that AWS gives to new ones, else room for every environment."""
    scarce: dict[str, Scarcity] = field(default_factory=dict)
    """By name, the instance types of which EC2 has only so many machines; faults put them there."""
    is_named: bool = True
    """Whether answers carry the header that only a local AWS has; tests that play AWS turn it off."""
    _shared: dict[type, Any] = field(default_factory=dict)

    def share(self, part: object) -> None:
        """Gives operations a part of the local AWS that they use: its stacks, or what runs its functions."""
        self._shared[type(part)] = part

    def shared(self, kind: type[Part]) -> Part:
        """The part of this class. Raises RuntimeError where the local AWS was made without one."""
        if kind not in self._shared:
            raise RuntimeError(f"this local AWS was made without {kind.__name__}")
        part: Part = self._shared[kind]
        return part

    def table(self, account: str, region: str, name: str) -> dict[str, Any]:
        """The rows of one table, by key. ``name`` is ``<service>.<plural>``, e.g. ``eks.addons``."""
        return self.tables.setdefault((account, region, name), {})


class Clients(Protocol):
    """How an operation reaches the other services of this local AWS."""

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
        """Rows of this service in this account and Region: ``call.table("addons")``."""
        return self.store.table(self.account, self.region, f"{self.service}.{name}")

    def client(self, service: str) -> Any:
        """A boto3 client of this local AWS for the caller's account and Region."""
        return self.clients.local_client(service, self.endpoint, self.account, self.region)

    def moto_backend(self, service: str) -> Any:
        """moto's backend of a service for the caller's account and Region (``global`` services included)."""
        return self.clients.moto_backend(service, self.account, self.region)


OperationFunction = Callable[[Call], Mapping[str, Any]]
OPERATIONS: dict[tuple[str, str], OperationFunction] = {}
"""Filled by the modules of ``services/``, which the server discovers and imports at start."""


def operation(service: str, name: str) -> Callable[[OperationFunction], OperationFunction]:
    """Registers the function as this service's operation; a second one of the same name is a mistake of ours."""

    def register(function: OperationFunction) -> OperationFunction:
        if (service, name) in OPERATIONS:
            raise RuntimeError(f"two functions answer {service}:{name}")
        OPERATIONS[service, name] = function
        return function

    return register


ORIGIN: ContextVar[Call] = ContextVar("ORIGIN")
"""A call of the local AWS that answers the request in hand; its account, operation and parameters mean nothing."""


def call_of(backend: Any, service: str, operation: str, parameters: Mapping[str, Any] | None = None) -> Call:
    """The call that one of moto's backends would make, in its own account and Region."""
    return replace(
        ORIGIN.get(),
        service=service,
        operation=operation,
        account=backend.account_id,
        region=backend.region_name,
        parameters=parameters or {},
    )


Guard = Callable[[Call], None]
"""Raises ServiceError for a call that the service refuses."""
GUARDS: dict[tuple[str, str], list[Guard]] = {}
"""Filled by the modules of ``services/``; the guards of one operation run in the order of their modules' names, those
that are put ``first`` before the others, those that are put ``last`` after them."""
LAST: set[Guard] = set()
"""Those that are put ``last``: they run when nothing else rejects the call."""


def guard(service: str, *names: str, first: bool = False, last: bool = False) -> Callable[[Guard], Guard]:
    """Puts the function before these operations of a service."""

    def register(function: Guard) -> Guard:
        if last:
            LAST.add(function)
        for name in names:
            guards = GUARDS.setdefault((service, name), [])
            end = len(guards) if last else sum(each not in LAST for each in guards)
            guards.insert(0 if first else end, function)
        return function

    return register

"""API operations that this local AWS answers itself, and guards; moto answers every other call.

An operation is a plain function. The front door parses the HTTP request by botocore's service model, checks it against
that model's input shape, calls the function and writes its answer by the output shape, so that an operation reads no
protocol and cannot answer with a field that the service does not have.

An operation rejects what depends on its own data. A rule that holds for a call whichever function answers it (a rule of
the service, a quota, a reservation) is a guard: it is written once and also holds for moto's operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from local_aws.contract import Call

OperationFunction = Callable[[Call], Mapping[str, Any]]
OPERATIONS: dict[tuple[str, str], OperationFunction] = {}
"""Filled by the modules of ``services/``, which the server discovers and imports at start."""


def operation(service: str, name: str) -> Callable[[OperationFunction], OperationFunction]:
    """Registers the function as this service's operation; raises RuntimeError when the operation has one."""

    def register(function: OperationFunction) -> OperationFunction:
        if (service, name) in OPERATIONS:
            raise RuntimeError(f"two functions answer {service}:{name}")
        OPERATIONS[service, name] = function
        return function

    return register


Guard = Callable[[Call], None]
"""Raises ServiceError for a call that the service rejects."""
GUARDS: dict[tuple[str, str], list[Guard]] = {}
"""Filled by the modules of ``services/``; the guards of one operation run in the order of their modules' names, guards
with ``first`` before the others, guards with ``last`` after them."""
LAST: set[Guard] = set()
"""The guards with ``last``: they run when nothing else rejects the call."""


def guard(service: str, *names: str, first: bool = False, last: bool = False) -> Callable[[Guard], Guard]:
    """Registers the function as a check that runs before these operations of a service."""

    def register(function: Guard) -> Guard:
        if last:
            LAST.add(function)
        for name in names:
            guards = GUARDS.setdefault((service, name), [])
            end = len(guards) if last else sum(each not in LAST for each in guards)
            guards.insert(0 if first else end, function)
        return function

    return register

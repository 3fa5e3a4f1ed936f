"""Checks that run before an operation is answered, be it ours or moto's.

An operation of ours refuses what only it can know. What is true of a call whoever answers it (a rule of the
service, a quota, a reservation) is a guard: it stands in one place and also holds for moto's operations.
"""

from __future__ import annotations

from collections.abc import Callable

from local_aws.service import Call

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

"""Checks from outside: what a product refuses beyond the services, in their words, before they answer.

A process has one local AWS at a time, and so one list of checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from local_aws.contract import Call


class CallCheck(Struct, frozen=True):
    """Runs before these operations, and before every guard of the local AWS."""

    service: str
    """botocore's name, ``ec2``."""
    operations: tuple[str, ...]
    check: Callable[[Call], None]
    """Raises ServiceError for a call that is refused."""


TemplateCheck = Callable[[Mapping[str, Any]], None]
"""Runs before CloudFormation uses a template; raises ServiceError for one that is refused."""
Check = CallCheck | TemplateCheck
_current: list[Check] = []


def use_checks(checks: Sequence[Check]) -> None:
    """From now on these and no others run."""
    _current[:] = checks


def call_checks() -> dict[tuple[str, str], list[Callable[[Call], None]]]:
    """Returns the checks by service and operation, in the order in which they were given."""
    found: dict[tuple[str, str], list[Callable[[Call], None]]] = {}
    for each in _current:
        if isinstance(each, CallCheck):
            for operation in each.operations:
                found.setdefault((each.service, operation), []).append(each.check)
    return found


def check_document(document: Mapping[str, Any]) -> None:
    """Raises ServiceError for a template that a check refuses."""
    for each in _current:
        if not isinstance(each, CallCheck):
            each(document)

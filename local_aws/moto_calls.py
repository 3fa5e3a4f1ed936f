"""Calls on behalf of moto's code, which knows an account and a Region, and not by whom it was asked."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from msgspec.structs import replace

from local_aws.service import Call

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

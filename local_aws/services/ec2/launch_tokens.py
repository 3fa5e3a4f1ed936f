"""ClientToken of RunInstances: what was launched before is told again, and no machine is started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call

MEMBER = "ClientToken"


def is_repeated(call: Call) -> bool:
    """Whether the token was used: room and what is free were asked for then."""
    return _launched(call.moto_backend("ec2"), call.parameters) is not None


def launched_before(backend: Any, request: Mapping[str, Any]) -> Any | None:
    """The reservation of an equal request with this token; None for a new one. Refused when the requests differ."""
    found = _launched(backend, request)
    if found is not None and found.request != dict(request):
        raise api_error("ec2.token_reused")
    return found


def remember(reservation: Any, request: Mapping[str, Any]) -> None:
    """With the reservation, so that a launch that was taken back leaves nothing."""
    reservation.request = dict(request)


def _launched(backend: Any, request: Mapping[str, Any]) -> Any | None:
    token = request.get(MEMBER)
    rows = list(backend.reservations.values()) if token else []
    return next((each for each in rows if getattr(each, "request", {}).get(MEMBER) == token), None)

"""Checks that bindings have as data: what a request names has to exist, as a further operation returns it."""

from __future__ import annotations

from collections.abc import Iterator

from botocore import xform_name
from botocore.exceptions import ClientError

from local_aws.guards import guard
from local_aws.handlers.binding import Precondition, bindings
from local_aws.handlers.templates import Values, filled, formatted, found
from local_aws.service import Call, ServiceError


def require_named(call: Call) -> None:
    """Raises ServiceError for a name in the request that the further operation does not find."""
    for precondition in preconditions():
        if (precondition.service, precondition.operation) == (call.service, call.operation):
            _require(call, precondition)


def preconditions() -> Iterator[Precondition]:
    """Of all bindings."""
    stores = (binding.store for binding in bindings().values())
    return (each for store in stores if store is not None for each in store.preconditions)


def _require(call: Call, precondition: Precondition) -> None:
    client = call.client(call.service)
    for item in found(precondition.exists, dict(call.parameters)) or []:
        values = Values(call, {**call.parameters, "@item": item})
        try:
            getattr(client, xform_name(precondition.by.operation))(**filled(precondition.by.parameters, values))
        except ClientError as error:
            # Source: inferred: the words; each row of data has its own source
            raise ServiceError(precondition.code, str(formatted(precondition.message, values))) from error


for _service, _operation in sorted({(each.service, each.operation) for each in preconditions()}):
    guard(_service, _operation)(require_named)

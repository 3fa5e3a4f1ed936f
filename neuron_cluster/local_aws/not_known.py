"""The answer to a call that nobody here knows: an error of its service, as far as the service can be told."""

from __future__ import annotations

import json
import uuid

from moto.core.model import OperationModel
from moto.core.request import Request
from werkzeug.wrappers import Response

from neuron_cluster.local_aws.protocol import response
from neuron_cluster.local_aws.service import ServiceError

NOT_IMPLEMENTED = 501
"""SDKs do not try again after it."""


def not_known(service: str, operation: OperationModel, reason: str, request: Request) -> Response:
    """The refusal of an operation that moto does not have, or of what was asked of it."""
    return response(service, operation, request, _refusal(f"{service}:{operation.name}", reason))


def not_even_named(signing_name: str, reason: str, request: Request) -> Response:
    """The same where no model says which operation was asked for: in the form that SDKs read for such a request."""
    error = _refusal(signing_name or "a service", reason)
    if (request.content_type or "").startswith("application/x-www-form-urlencoded"):
        body = (
            f"<ErrorResponse><Error><Type>Sender</Type><Code>{error.code}</Code><Message>{error.message}</Message>"
            f"</Error><RequestId>{uuid.uuid4()}</RequestId></ErrorResponse>"
        )
        return Response(body, status=error.status, mimetype="text/xml")
    answer = Response(
        json.dumps({"__type": error.code, "message": error.message}), status=error.status, mimetype="application/json"
    )
    answer.headers["X-Amzn-Errortype"] = error.code
    return answer


def _refusal(asked: str, reason: str) -> ServiceError:
    first_sentence = reason.partition(". ")[0]
    words = (
        f"This local AWS does not know this call of {asked} ({first_sentence}); docs/local-aws.md says what it does."
    )
    return ServiceError("NotImplemented", words, status=NOT_IMPLEMENTED)

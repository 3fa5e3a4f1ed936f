"""The answer to a call that nobody here knows: an error of its service, as far as the service can be told."""

from __future__ import annotations

import json
import uuid

from moto.core.request import Request
from werkzeug.wrappers import Response

from neuron_cluster.local_aws.service import ServiceError

NOT_IMPLEMENTED = 501
"""SDKs do not try again after it."""


def unknown_call(asked: str, reason: str) -> ServiceError:
    """The refusal of what moto does not have, or of what was asked of it."""
    first_sentence = reason.partition(". ")[0]
    words = (
        f"This local AWS does not know this call of {asked} ({first_sentence}); docs/local-aws.md says what it does."
    )
    return ServiceError("NotImplemented", words, status=NOT_IMPLEMENTED)


def written_plainly(error: ServiceError, request: Request) -> Response:
    """A refusal where no model says which operation was asked for: in the form that SDKs read for such a request."""
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


def no_such_region(region: str, service: str) -> ServiceError:
    """AWS has nothing there that could answer."""
    words = f"This local AWS: there is no Region {region}, and so nothing there that answers for {service}."
    return ServiceError("UnrecognizedClientException", words)

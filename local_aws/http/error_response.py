"""Error responses where no model says which operation was requested: in the form that SDKs read for such a request."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from werkzeug.wrappers import Response

from local_aws.contract import ServiceError

FORM = "application/x-www-form-urlencoded"


def kind_of(environ: Mapping[str, Any], signing_name: str) -> str:
    """``s3``, ``ec2``, ``query`` or ``json``: which codes and which form the answer has. Told by headers alone."""
    if signing_name == "s3":
        return "s3"
    if not str(environ.get("CONTENT_TYPE", "")).startswith(FORM):
        return "json"
    return "ec2" if signing_name == "ec2" else "query"


def error_response(error: ServiceError, environ: Mapping[str, Any], signing_name: str) -> Response:
    """Neither body nor model is needed."""
    kind = kind_of(environ, signing_name)
    request_id = str(uuid.uuid4())
    code, message = escape(error.code), escape(error.message)
    inner = f"<Code>{code}</Code><Message>{message}</Message>"
    if kind == "s3":
        xml = f"<Error>{inner}<RequestId>{request_id}</RequestId></Error>"
    elif kind == "ec2":
        xml = f"<Response><Errors><Error>{inner}</Error></Errors><RequestID>{request_id}</RequestID></Response>"
    elif kind == "query":
        error_type = f"<Error><Type>Sender</Type>{inner}</Error>"
        xml = f"<ErrorResponse>{error_type}<RequestId>{request_id}</RequestId></ErrorResponse>"
    else:
        body = json.dumps({"__type": error.code, "message": error.message})
        headers = {"X-Amzn-Errortype": error.code}
        return Response(body, status=error.status, mimetype="application/json", headers=headers)
    return Response(xml, status=error.status, mimetype="text/xml")

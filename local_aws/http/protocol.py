"""Requests and answers by botocore's models of services, with moto's routers, parsers and serializers."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from botocore.model import OperationNotFoundError, Shape
from botocore.validate import ParamValidator
from moto.core.errors import ErrorLookupFactory, ErrorShape
from moto.core.model import OperationModel, ServiceModel
from moto.core.parse import PROTOCOL_PARSERS, RequestParserError, default_timestamp_parser
from moto.core.request import Request, determine_request_protocol
from moto.core.routing import get_service_router
from moto.core.serialize import ResponseDict, SerializationContext, get_serializer_class
from moto.core.utils import get_service_model
from moto.moto_api._internal import mock_random
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from local_aws.api_errors import api_error
from local_aws.contract import BAD_REQUEST, ServiceError
from local_aws.http.request_body import Environ

RequestedOperation = tuple[OperationModel, dict[str, Any], Request]
"""The operation, the parameters in the path, and the request as it was read to find them."""

SIGNING_NAMES = {
    "cloudcontrol": "cloudcontrolapi",
    "cloudwatch": "monitoring",
    "efs": "elasticfilesystem",
    "elbv2": "elasticloadbalancing",
    "service-quotas": "servicequotas",
    "stepfunctions": "states",
}
"""Where it is not botocore's name of the service; to read it in the model takes 30 ms of each start."""


class OperationRoutes:
    """The services that are read before moto gets a request, by the name that signatures have for them."""

    def __init__(self, services: Iterable[str], under_fault: Callable[[str], Collection[str]]) -> None:
        """``under_fault`` returns, of a signing name, the services of which a call has a fault now."""
        self._under_fault = under_fault
        self._services: dict[str, list[str]] = {}
        for service in sorted(services):
            self._services.setdefault(SIGNING_NAMES.get(service, service), []).append(service)

    def services(self, signing_name: str) -> Sequence[str]:
        ours = self._services.get(signing_name, [])
        return [*ours, *sorted(set(self._under_fault(signing_name)).difference(ours))]


def requested_operation(service: str, environ: Environ) -> RequestedOperation | None:
    """None where the service has no operation for this request."""
    _write_out_target(service, environ)
    request = Request(environ)
    try:
        return *get_service_router(service).match(request), request
    except (NotFound, OperationNotFoundError):
        return None


def _write_out_target(service: str, environ: Environ) -> None:
    """Gives a JSON operation the prefix that botocore's model has, with a namespace for a few services.

    SDKs made of Smithy models, such as that of the CDK command, send the last part alone; AWS takes both.
    """
    prefix = get_service_model(service).metadata.get("targetPrefix", "")
    given, _, operation = environ.get("HTTP_X_AMZ_TARGET", "").rpartition(".")
    if given and given == prefix.rpartition(".")[2]:
        environ["HTTP_X_AMZ_TARGET"] = f"{prefix}.{operation}"


JSON_PROTOCOLS = frozenset({"json", "rest-json"})
NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""Characters that no XML holds, however they are written; a refusal may quote them.

https://www.w3.org/TR/xml/#charsets
"""


def parsed_parameters(
    service: str, operation: OperationModel, uri_parameters: dict[str, Any], request: Request
) -> dict[str, Any]:
    """The operation's input, checked by its shape: required members, types, ranges. Its moments are in UTC and say so.

    Raises ServiceError with the code this protocol uses for an invalid request.
    """
    protocol = determine_request_protocol(get_service_model(service), request.content_type)
    parser = PROTOCOL_PARSERS[protocol](operation, timestamp_parser=_moment)
    asked: Any = {
        "method": request.method,
        "values": request.values,
        "headers": request.headers,
        "body": request.data,
        "url_path": request.path,
        "url_params": uri_parameters,
    }
    try:
        if protocol in JSON_PROTOCOLS and not _is_payload(operation):
            _require_object(request.data)
        parameters: dict[str, Any] = parser.parse(asked)
    except (RequestParserError, AttributeError, TypeError, ValueError, RecursionError) as error:
        raise api_error("common.unreadable", protocol, reason=error) from error
    parameters = {name: value for name, value in parameters.items() if value is not None}
    if operation.input_shape is not None:
        report = ParamValidator().validate(parameters, operation.input_shape)
        if report.has_errors():
            raise invalid_request(operation.service_model, report.generate_report())
    return parameters


def _require_object(body: bytes) -> None:
    """moto's parser takes what is no JSON for an empty request. Raises ValueError."""
    if body and not isinstance(json.loads(body), dict):
        raise ValueError("the body is no JSON object")


def _is_payload(operation: OperationModel) -> bool:
    """Whether the body is one member of the request, which may be anything."""
    return operation.input_shape is not None and "payload" in operation.input_shape.serialization


def _moment(written: str) -> datetime:
    parsed: datetime = default_timestamp_parser(written)  # in UTC, without saying so
    return parsed.replace(tzinfo=UTC)


def invalid_request(service_model: ServiceModel, report: str) -> ServiceError:
    """Returns the error for input that the service's model, or that of a service that it calls, does not accept."""
    return ServiceError(_invalid_code(service_model, report), report)


def _invalid_code(service_model: ServiceModel, report: str) -> str:
    if service_model.protocol == "query" or "awsQueryCompatible" in service_model.metadata:
        return "ValidationError"
    if service_model.protocol == "ec2":
        return "MissingParameter" if "Missing required" in report else "InvalidParameterValue"
    codes = {error.name for error in service_model.error_shapes}
    return "InvalidParameterException" if "InvalidParameterException" in codes else "ValidationException"


def response(service: str, operation: OperationModel, request: Request, result: Any) -> Response:
    """The HTTP response for an answer, or for a ServiceError."""
    protocol = determine_request_protocol(get_service_model(service), request.content_type)
    request_id = str(mock_random.uuid4())
    if isinstance(result, ServiceError) and protocol not in JSON_PROTOCOLS:
        result = ServiceError(
            result.code, NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", result.message), status=result.status
        )
    serializer: Any = _serializer_class(service, protocol)(operation, SerializationContext(request_id))
    answer: ResponseDict = serializer.serialize(result)
    status = answer["status_code"]
    if isinstance(result, ServiceError) and result.status != BAD_REQUEST:
        status = result.status
    http_response = Response(answer["body"], status=status, headers=dict(answer["headers"]))
    http_response.headers["x-amzn-RequestId"] = request_id
    return http_response


@functools.cache
def _serializer_class(service: str, protocol: str) -> type:
    return type("Serializer", (_OwnAnswers, get_serializer_class(service, protocol)), {})


class _OwnAnswers:
    """Writes answers as moto does, but takes a code that the model does not list without a Python warning.

    Services do answer with codes outside their models; CloudFormation's ``ValidationError`` is one.
    """

    service_model: ServiceModel

    def get_value(self, value: Any, key: str, shape: Shape) -> Any:
        """Own answers are dictionaries: moto's search in any kind of object takes half the time of a page of events."""
        if type(value) is dict:
            return value.get(key)
        serializer: Any = super()
        return serializer.get_value(value, key, shape)

    def _serialize_error(self, answer: ResponseDict, error: ServiceError) -> ResponseDict:
        shape = ErrorLookupFactory().for_service(self.service_model).from_code(error.code) or _unlisted(error.code)
        serialized: dict[str, Any] = {}
        serializer: Any = self
        serializer._serialize_error_metadata(serialized, error, shape)  # noqa: SLF001 - moto's hook for subclasses
        written: ResponseDict = serializer._serialized_error_to_response(  # noqa: SLF001 - as above
            answer, error, shape, serialized
        )
        return written


def _unlisted(code: str) -> ErrorShape:
    model = {"exception": True, "type": "structure", "members": {}, "error": {"code": code}}
    return ErrorShape(shape_name=code, shape_model=model)

"""EKS's refusals by error code, each with the HTTP status of its service model."""

from __future__ import annotations

from local_aws.service import ServiceError


def not_found(message: str) -> ServiceError:
    return ServiceError("ResourceNotFoundException", message, status=404)


def in_use(message: str) -> ServiceError:
    return ServiceError("ResourceInUseException", message, status=409)


def invalid_parameter(message: str) -> ServiceError:
    return ServiceError("InvalidParameterException", message)


def invalid_request(message: str) -> ServiceError:
    return ServiceError("InvalidRequestException", message)

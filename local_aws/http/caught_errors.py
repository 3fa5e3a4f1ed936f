"""The error of the service that an exception becomes: one that moto or another service raised, or one of no service."""

from __future__ import annotations

from botocore.exceptions import ClientError
from botocore.model import OperationNotFoundError
from moto.core.exceptions import ServiceException
from werkzeug.exceptions import HTTPException

from local_aws.http.internal_errors import mistake_of_moto, own_mistake
from local_aws.service import ServiceError

NOT_IN_MOTO = (NotImplementedError, OperationNotFoundError)
"""How moto says that it does not have a service or an operation."""


def passed_on(error: ServiceException | ClientError | HTTPException) -> ServiceError:
    """The refusal of what an operation asked: moto's backend, or another service."""
    if isinstance(error, ServiceException):
        return ServiceError(error.code, error.message)
    if isinstance(error, ClientError):
        return ServiceError(error.response["Error"]["Code"], error.response["Error"]["Message"])
    # how moto's older backends refuse
    return ServiceError(getattr(error, "error_type", error.name), getattr(error, "message", str(error)))


def last_resort(error: Exception, kind: str) -> ServiceError | str:
    """The error of an exception that ended a call of a service of this kind, or why there is no such call here."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, NOT_IN_MOTO):
        return str(error)
    return mistake_of_moto(error, kind) or own_mistake(error)

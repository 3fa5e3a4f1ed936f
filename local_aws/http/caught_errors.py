"""The error of the service that an exception becomes: one that moto or another service raised, or one of no service.

Where the local AWS itself fails, it is an error that SDKs can read, too.
"""

from __future__ import annotations

import errno
import logging
import re
import tempfile
from traceback import walk_tb
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile

from botocore.exceptions import ClientError
from botocore.model import OperationNotFoundError
from moto.core.exceptions import ServiceException
from werkzeug.exceptions import HTTPException
from yaml import YAMLError

from local_aws.api_errors import api_error
from local_aws.contract import ServiceError

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


OURS = __name__.partition(".")[0]
BY_INPUT = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError),
    *(ExpatError, YAMLError, BadZipFile, re.error),
)
"""Exceptions of moto's code where a request does not have what it looks for, or has something else."""
LONGEST_REASON = 430
"""Characters."""
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def own_mistake(error: Exception) -> ServiceError:
    """Returns the error for an unexpected exception; the log has its place."""
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return api_error("common.no_space", folder=tempfile.gettempdir(), reason=error.strerror)
    logging.getLogger(__name__).error("the local AWS failed to answer a call", exc_info=error)
    return api_error("common.defect", kind=type(error).__name__)


def mistake_of_moto(error: Exception, kind: str) -> ServiceError | None:
    """Returns the error for a request that moto's code cannot use; None where the exception is another one.

    moto looks up what it needs and does not check requests, so that one that lacks it ends in an exception.
    """
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    if (
        not isinstance(error, BY_INPUT)
        or not modules
        or modules[-1].partition(".")[0] == OURS
        or "moto" not in {module.partition(".")[0] for module in modules}
    ):
        return None
    return api_error("common.unusable", kind, reason=f"{type(error).__name__}: {error}"[:LONGEST_REASON])

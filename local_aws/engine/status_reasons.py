"""The words in which a failed event says what the service said."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from local_aws.contract import ServiceError

Result = TypeVar("Result")

HANDLER_ERROR_CODES = (
    ("AlreadyExists", "AlreadyExists"),
    ("ResourceInUse", "AlreadyExists"),
    ("Duplicate", "AlreadyExists"),
    ("NotFound", "NotFound"),
    ("NoSuch", "NotFound"),
    ("AccessDenied", "AccessDenied"),
    ("LimitExceeded", "ServiceLimitExceeded"),
    ("Conflict", "ResourceConflict"),
    ("DependencyViolation", "ResourceConflict"),
)
"""Part of a service's error code, and CloudFormation's code for that kind of failure."""

THROTTLING = frozenset({"Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequestsException"})
ATTEMPTS = 5
"""CloudFormation calls a handler again that was throttled. It waits in between; nothing here gets less busy by that."""


class DeploymentFailedError(Exception):
    """The stack could not be brought to the revision; the text is the stack's reason."""


class ResourceFailedError(Exception):
    """A provider could not do what was asked; the text is the event's reason."""


def internal_failure(error: Exception) -> str:
    """The reason of an event for a mistake of ours, which is logged."""
    logging.getLogger(__name__).error("the local AWS failed", exc_info=error)
    return f"Internal Failure: {type(error).__name__}: {error}"


def provided(type_name: str, verb: Callable[..., Result], *arguments: object) -> Result:
    """Calls a provider, again when the service throttles it. Raises ResourceFailedError for whatever it raises."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return verb(*arguments)
        except ClientError as error:
            if attempt == ATTEMPTS or error.response["Error"]["Code"] not in THROTTLING:
                raise ResourceFailedError(_failure_reason(type_name, error)) from error
        except ResourceFailedError:
            raise
        except (BotoCoreError, ServiceError) as error:
            raise ResourceFailedError(
                f'Resource handler returned message: "{error}" {_token("InvalidRequest")}'
            ) from error
        except Exception as error:  # a mistake in a provider must fail its stack, not leave it in progress
            raise ResourceFailedError(internal_failure(error)) from error
    raise AssertionError("the last attempt answers or raises")


def not_stabilized(message: str, handler_code: str) -> ResourceFailedError:
    """The failure of a resource that its service took and that did not become what was asked for."""
    return ResourceFailedError(f'Resource handler returned message: "{message}" {_token(handler_code)}')


def _failure_reason(type_name: str, error: ClientError) -> str:
    code, message = error.response["Error"]["Code"], error.response["Error"]["Message"]
    if code == "CustomResourceFailed":
        return str(error)
    metadata = error.response.get("ResponseMetadata", {})
    service = type_name.split("::")[1].capitalize()
    status = metadata.get("HTTPStatusCode", 400)
    request = metadata.get("RequestId", uuid.uuid4())
    text = f"{message} (Service: {service}, Status Code: {status}, Error Code: {code}, Request ID: {request})"
    handler_code = next((handler for part, handler in HANDLER_ERROR_CODES if part in code), "InvalidRequest")
    return f'Resource handler returned message: "{text}" {_token(handler_code)}'


def _token(handler_code: str) -> str:
    return f"(RequestToken: {uuid.uuid4()}, HandlerErrorCode: {handler_code})"

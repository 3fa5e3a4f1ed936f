"""Answers of AWS, and calls without one: a caller that may not read takes nothing for absent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, NoResponseError

Value = TypeVar("Value")
AT_A_TIME = 4
"""Calls of one service at a time: no source has the rates of most services, and botocore tries again when throttled."""
FORBIDDEN = "403"
"""The code of a denied HEAD request, whose answer has no body."""


class NotRead(Struct, frozen=True):
    """A call without an answer: nothing is known of the resource."""

    call: str
    """The service and its operation: ``s3:GetBucketVersioning``."""
    reason: str
    is_denied: bool = False
    """Whether the caller lacks the permission; otherwise AWS was too busy, or did not respond."""


def readings(service: str, reads: Mapping[str, Callable[[], Value]]) -> dict[str, Value | NotRead]:
    """As ``reading``, for several at a time, by their keys."""
    with ThreadPoolExecutor(AT_A_TIME) as threads:
        found = {key: threads.submit(reading, service, read) for key, read in reads.items()}
        return {key: future.result() for key, future in found.items()}


def reading(service: str, read: Callable[[], Value]) -> Value | NotRead:
    """The result of ``read``, whose calls are of one service; ``NotRead`` where one of them failed."""
    try:
        return read()
    except AwsApiError as error:
        return NotRead(
            f"{service}:{error.operation}", error.message, is_denied=error.is_denied or error.code == FORBIDDEN
        )
    except NoResponseError as error:
        return NotRead(service, error.message)

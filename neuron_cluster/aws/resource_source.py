"""Calls that read resources by the bindings of their types: each call is made once, all pages of its answer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from botocore import xform_name

from local_aws.resource_types.reader import is_absence_code
from local_aws.resource_types.shapes import from_api, to_api
from neuron_cluster.aws.errors import AwsApiError, NoResponseError, translated
from neuron_cluster.aws.reading import FORBIDDEN, NotRead
from neuron_cluster.aws.session import Target, client

NO_BODY = "404"
"""The code of HEAD requests, whose answers have no body, for what is not there."""
Key = tuple[str, str, bytes]
Value = TypeVar("Value")


class CallError(AwsApiError):
    """An error of one call, with its service."""

    def __init__(self, error: AwsApiError, call: str) -> None:
        super().__init__(error.message, code=error.code, hint=error.hint, operation=error.operation)
        self.call = call
        """``s3:GetBucketPolicy``"""


def reading_of(read: Callable[[], Value]) -> Value | NotRead:
    """The result of ``read``, which asks a ``ResourceSource``; ``NotRead`` where a call failed."""
    try:
        return read()
    except CallError as error:
        return NotRead(error.call, error.message, is_denied=error.is_denied or error.code == FORBIDDEN)
    except NoResponseError as error:
        return NotRead("AWS", error.message)


class ResourceSource:
    """The services of one account and Region. An error is kept, too, and raised for the same call again.

    After a call without a response, or with expired credentials, no other one is made: each would wait or fail, too.
    """

    def __init__(self, target: Target, account: str) -> None:
        self.target = target
        self.account = account
        self.region = target.region
        self.calls: Counter[str] = Counter()
        """Requests by ``service:Operation``; a further page is not counted."""
        self._answers: dict[Key, dict[str, Any] | AwsApiError] = {}
        self._lost: NoResponseError | CallError | None = None
        self._keeping = threading.Lock()

    @property
    def answers(self) -> Mapping[Key, dict[str, Any] | AwsApiError]:
        """Every answer so far, by service, operation and parameters as JSON."""
        return dict(self._answers)

    def answer(self, service: str, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The answer in CloudFormation's spelling. Raises ``AwsApiError`` and ``NoResponseError``."""
        key = _key(service, operation, parameters)
        with self._keeping:
            kept = self._answers.get(key)
        if kept is None:
            kept = self._response(service, operation, parameters)
            self.keep(service, operation, parameters, kept)
        if isinstance(kept, AwsApiError):
            raise kept
        return kept

    def pages(self, service: str, operation: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The pages as one answer."""
        yield self.answer(service, operation, parameters)

    def keep(
        self, service: str, operation: str, parameters: Mapping[str, Any], answer: dict[str, Any] | AwsApiError
    ) -> None:
        """Answers this call from now on."""
        with self._keeping:
            self._answers[_key(service, operation, parameters)] = answer

    def is_absence(self, error: Exception) -> bool:
        return isinstance(error, AwsApiError) and (error.code == NO_BODY or is_absence_code(error.code))

    def absence(self, code: str, message: str, operation: str) -> Exception:
        return AwsApiError(message, code=code, operation=operation)

    def _response(self, service: str, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any] | AwsApiError:
        with self._keeping:
            if self._lost is not None:
                raise self._lost
            self.calls[f"{service}:{operation}"] += 1
        try:
            with translated():
                return self._sent(service, operation, parameters)
        except AwsApiError as error:
            failed = CallError(error, f"{service}:{operation}")
            if error.is_expired:
                self._lost = failed
            return failed
        except NoResponseError as error:
            self._lost = error
            raise

    def _sent(self, service: str, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        made = client(self.target, service)
        method, request = xform_name(operation), to_api(made, operation, parameters)
        if made.can_paginate(method):
            return from_api(made, operation, made.get_paginator(method).paginate(**request).build_full_result())
        return from_api(made, operation, getattr(made, method)(**request))


def _key(service: str, operation: str, parameters: Mapping[str, Any]) -> Key:
    return service, operation, msgspec.json.encode(parameters, order="sorted")

"""Answers of a local AWS that are read once, so that a command can be repeated many times with some calls denied."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from local_aws.server import LocalAws

CallName = tuple[str, str]
"""Service and operation."""
STREAMS = {"GetObject"}
"""Operations whose answers can be read only once."""


class RecordedCalls:
    """The calls to one local AWS. Nothing changes there between the first command and the last one."""

    def __init__(self, aws: LocalAws) -> None:
        self._aws = aws
        self._answers: dict[str, Any] = {}

    @contextlib.contextmanager
    def without(self, denied: Collection[CallName]) -> Iterator[set[CallName]]:
        """Denied calls go to the local AWS, which refuses them; yields the names of all calls as they are made."""
        made: set[CallName] = set()
        call = BaseClient._make_api_call

        def answered(client: Any, operation: str, parameters: Any) -> Any:
            name = (client.meta.service_model.service_name, operation)
            made.add(name)
            key = json.dumps([*name, client.meta.region_name, parameters], sort_keys=True, default=str)
            if name in denied or operation in STREAMS or not operation.startswith(("Describe", "Get", "Head", "List")):
                return call(client, operation, parameters)
            if key not in self._answers:
                try:
                    self._answers[key] = call(client, operation, parameters)
                except ClientError as error:
                    self._answers[key] = error
            answer = self._answers[key]
            if isinstance(answer, ClientError):
                raise answer
            return answer

        with pytest.MonkeyPatch.context() as patch, ExitStack() as faults:
            patch.setattr(BaseClient, "_make_api_call", answered)
            for service, operation in denied:
                faults.enter_context(self._aws.faults.access_denied(service, operation))
            yield made

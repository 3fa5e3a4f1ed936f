"""The services that a handler calls, as a reader of resources asks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from botocore import xform_name
from botocore.exceptions import ClientError
from msgspec import Struct

from local_aws.engine.provider import ResourceContext, is_absence
from local_aws.handlers.shapes import call
from local_aws.resource_types.shapes import from_api, to_api


class ContextSource(Struct, frozen=True):
    """The account and Region of one resource."""

    context: ResourceContext

    @property
    def account(self) -> str:
        return self.context.account

    @property
    def region(self) -> str:
        return self.context.region

    def answer(self, service: str, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        client = self.context.client(service)
        return from_api(client, operation, call(client, operation, parameters))

    def pages(self, service: str, operation: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        client = self.context.client(service)
        paginator = client.get_paginator(xform_name(operation))
        for page in paginator.paginate(**to_api(client, operation, parameters)):
            yield from_api(client, operation, page)

    def is_absence(self, error: Exception) -> bool:
        return isinstance(error, ClientError) and is_absence(error)

    def absence(self, code: str, message: str, operation: str) -> Exception:
        error: Exception = ClientError({"Error": {"Code": code, "Message": message}}, operation)
        return error

"""Subscriptions of topics: none to a URL, since the local AWS sends nothing to another server."""

from __future__ import annotations

from http import HTTPStatus

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

URLS = frozenset({"http", "https"})


@guard("sns", "Subscribe")
def refuse_urls(call: Call) -> None:
    if call.parameters.get("Protocol") in URLS:
        # Source: inferred: AWS takes it; this refusal is the local AWS's own
        words = "This local AWS sends nothing to another server: a subscription to a URL is not emulated."
        raise ServiceError("NotImplemented", words, status=HTTPStatus.NOT_IMPLEMENTED)

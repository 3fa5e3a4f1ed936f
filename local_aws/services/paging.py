"""Lists in pages: the next token is the place at which the next page starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from local_aws.api_errors import api_error
from local_aws.contract import Call

Item = TypeVar("Item")
DIGITS = 8
"""The digits of a token: FSx only accepts multiples of four characters."""


def listing(call: Call, member: str, items: Sequence[Any], default_size: int | None = None) -> dict[str, Any]:
    """The page of a list that the request asks for, in a member of the response, and the token of the next one.

    Without a size in the request, the page has ``default_size`` items, or all.
    """
    size, token = ("maxResults", "nextToken") if member[0].islower() else ("MaxResults", "NextToken")
    given, error = call.parameters, api_error(f"{call.service}.page_token")
    found, more = page(items, given.get(size, default_size), given.get(token), error)
    return {member: found, token: more} if more else {member: found}


def page(items: Sequence[Item], size: int | None, token: str | None, error: Exception) -> tuple[list[Item], str]:
    """One page and the token of the next one, empty after the last. ``error`` is for a token that none has."""
    if token is not None and not (token.isascii() and token.isdigit() and int(token) < len(items)):
        raise error
    start = int(token or 0)
    end = start + (size or len(items))
    return list(items[start:end]), f"{end:0{DIGITS}}" if end < len(items) else ""

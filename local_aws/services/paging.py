"""Lists in pages: the next token is the place at which the next page starts.

Source: botocore's model of the service, which has a code for a token that is none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def page(items: Sequence[Item], size: int | None, token: str | None, refusal: Exception) -> tuple[list[Item], str]:
    """One page and the token of the next one, empty after the last. ``refusal`` answers a token we never gave."""
    if token is not None and not (token.isascii() and token.isdigit() and int(token) < len(items)):
        raise refusal
    start = int(token or 0)
    end = start + (size or len(items))
    return list(items[start:end]), str(end) if end < len(items) else ""

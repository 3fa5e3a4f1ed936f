"""The normal form of a template's values: equal in it means equal for CloudFormation.

Every scalar is text, a reference is a ``Reference`` however it was written, a joined text is one text or a list of
parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct


class Address(Struct, frozen=True, order=True):
    """One resource of one stack."""

    stack: str
    logical_id: str

    def __str__(self) -> str:
        return f"{self.stack}/{self.logical_id}"


class Reference(Struct, frozen=True):
    """What Ref (``attribute`` is empty) or Fn::GetAtt gives of a resource."""

    target: Address
    attribute: str = ""


def references(normal: Any) -> Iterator[Reference]:
    """Every reference in a value in the normal form."""
    if isinstance(normal, Reference):
        yield normal
    elif isinstance(normal, dict):
        for item in normal.values():
            yield from references(item)
    elif isinstance(normal, list):
        for item in normal:
            yield from references(item)


def joined(parts: list[Any], delimiter: str) -> Any:
    """One text where nothing but text is joined, else the parts with neighbouring texts put together."""
    pieces: list[Any] = []
    for position, part in enumerate(parts):
        for piece in ([delimiter] if position else []) + [part]:
            if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += piece
            elif piece != "" and piece is not None:
                pieces.append(piece)
    if not pieces:
        return ""
    return pieces[0] if len(pieces) == 1 else {"Fn::Join": pieces}

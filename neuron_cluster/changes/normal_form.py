"""The normal form of a template's values: equal in it means equal for CloudFormation.

Every scalar is text, a reference is a ``Reference`` however it was written, a joined text is one text or a list of
parts. A function that only AWS can compute stays a function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from local_aws.cloudformation.resolver import DYNAMIC
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.values import NO_VALUE, Address, Reference, Unresolved

UNRESOLVED = frozenset({"Fn::Base64", "Fn::ToJsonString"})
"""Functions that are not computed, so that people can read what differs in their arguments."""


def normal(value: Any) -> Any:
    """A resolved value in the normal form."""
    kind = type(value)
    if kind is str or kind is Reference or kind is Unresolved or value is None:
        return value
    if isinstance(value, Mapping):
        items = {key: normal(item) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not None}
    if isinstance(value, list | tuple):
        return [item for item in map(normal, value) if item is not None]
    return str(value).lower() if isinstance(value, bool) else str(value)


def left(stack: str, template: Template, function: str, argument: Any) -> Any:
    """A function that only AWS can compute: parameters with their default, conditions with what they mean."""
    match function, argument:
        case _ if function == DYNAMIC:
            return argument
        case "Ref", str() if "Default" in template.parameters.get(argument, {}):
            return Unresolved({function: [argument, str(template.parameters[argument]["Default"])]})
        case "Fn::GetAtt", str() | [str(), str()]:  # of a resource that the template lacks
            dotted = argument if isinstance(argument, str) else ".".join(argument)
            logical_id, _, attribute = dotted.partition(".")
            return Reference(Address(stack, logical_id), attribute)
        case "Fn::Join", [str(delimiter), list(parts)]:
            return joined(map(normal, parts), delimiter)
        case "Fn::If", [str(condition), *branches]:
            values = [None if branch is NO_VALUE else normal(branch) for branch in branches]
            return Unresolved({function: [template.conditions.get(condition), *values]})
        case _:
            return Unresolved({function: normal(argument)})


def joined(parts: Iterable[Any], delimiter: str) -> Any:
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
    return pieces[0] if len(pieces) == 1 else Unresolved({"Fn::Join": pieces})

"""Intrinsic functions that need nothing but their arguments, which come resolved.

A function whose arguments hold an unknown value is not called: its result is unknown too.
"""

from __future__ import annotations

import base64
import ipaddress
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.values import as_text

ADDRESS_BITS = {4: 32, 6: 128}


def join(argument: Any) -> str:
    match argument:
        case [str(delimiter), list(parts)] if not any(isinstance(part, list | dict) for part in parts):
            return delimiter.join(as_text(part) for part in parts)
    raise TemplateError("join")


def substituted(parts: list[Any]) -> str:
    """The text of a Fn::Sub whose variables have these values."""
    if any(isinstance(part, list | dict) for part in parts):
        raise TemplateError("sub_variable")
    return "".join(map(as_text, parts))


def split(argument: Any) -> list[str]:
    match argument:
        case [str(delimiter), str(text)]:
            return text.split(delimiter)
    raise TemplateError("split")


def select(argument: Any) -> Any:
    match argument:
        case [int() | str() as index, list(items)] if str(index).isdigit():
            if int(index) < len(items):
                return items[int(index)]
            raise TemplateError("select_index", index=index)
    raise TemplateError("select")


def cidr(argument: Any) -> list[str]:
    """Blocks of ``bits`` host bits out of an address block; the first ``count`` of them."""
    match argument:
        case [str(block), count, *rest]:
            network = ipaddress.ip_network(block)
            bits = int(rest[0]) if rest else 8
            blocks = network.subnets(new_prefix=ADDRESS_BITS[network.version] - bits)
            found = [str(subnet) for subnet, _ in zip(blocks, range(int(count)), strict=False)]
            if len(found) == int(count):
                return found
            raise TemplateError("cidr_blocks", count=count, bits=bits, block=block)
    raise TemplateError("cidr")


def encode_base64(argument: Any) -> str:
    if not isinstance(argument, str):
        raise TemplateError("base64")
    return base64.b64encode(argument.encode()).decode()


def length(argument: Any) -> int:
    return len(argument)


def to_json_string(argument: Any) -> str:
    return json.dumps(argument, separators=(",", ":"))


PURE_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "Fn::Base64": encode_base64,
    "Fn::Cidr": cidr,
    "Fn::Join": join,
    "Fn::Length": length,
    "Fn::Select": select,
    "Fn::Split": split,
    "Fn::ToJsonString": to_json_string,
}
CONTEXT_FUNCTIONS = frozenset(
    {
        "Ref",
        *(f"Fn::{name}" for name in ("FindInMap", "GetAZs", "GetAtt", "GetStackOutput", "If", "ImportValue", "Sub")),
    }
)
"""Functions that need the template or the account."""
CONDITION_FUNCTIONS = frozenset({"Fn::And", "Fn::Equals", "Fn::Not", "Fn::Or", "Condition"})
LANGUAGE_EXTENSIONS = frozenset({"Fn::Length", "Fn::ToJsonString"})
"""Functions that need ``Transform: AWS::LanguageExtensions``."""
TRANSFORM = "AWS::LanguageExtensions"


def supported_functions(transforms: Collection[str]) -> frozenset[str]:
    """The functions of a template with these transforms."""
    found = CONTEXT_FUNCTIONS | CONDITION_FUNCTIONS | PURE_FUNCTIONS.keys()
    return found if TRANSFORM in transforms else found - LANGUAGE_EXTENSIONS


def unsupported_function(name: str, transforms: Collection[str]) -> TemplateError:
    supported = ", ".join(sorted(supported_functions(transforms) - LANGUAGE_EXTENSIONS))
    return TemplateError("function_unsupported", name=name, supported=supported)

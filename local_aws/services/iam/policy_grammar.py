"""The grammar of IAM policies, as far as it is the same in policies of identities and in trust policies of roles.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html, and the pages of the elements. Each
function yields what IAM would answer, in its words.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

SYNTAX = "Syntax errors in policy."
LEGACY = "The policy failed legacy parsing"
TOP_ELEMENTS = frozenset({"Version", "Id", "Statement"})
SID = re.compile(r"[0-9A-Za-z]*")
SET_OPERATOR = re.compile(r"For(All|Any)Values?:")
IF_EXISTS = "IfExists"
WILDCARD = re.compile(r"[*?]")
ARN_PARTS = 6
GLOBAL_SERVICES = ("iam", "route53")
"""Services whose ARNs have no Region."""


def grammar_faults(document: Any, partition: str) -> Iterator[str]:
    """Yields the faults of a policy as it is read from JSON, whose account is in this partition."""
    if not isinstance(document, Mapping) or not document.keys() <= TOP_ELEMENTS:
        yield SYNTAX
        return
    statements = document.get("Statement")
    for statement in statements if isinstance(statements, list) else [statements]:
        if not isinstance(statement, Mapping) or "Effect" not in statement:
            yield SYNTAX
            return
        if statement["Effect"] not in ("Allow", "Deny"):
            yield LEGACY
        if not SID.fullmatch(str(statement.get("Sid", ""))):
            yield "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies [0-9A-Za-z]*"
        yield from _condition_faults(statement.get("Condition", {}))
        for action in (*listed(statement.get("Action", [])), *listed(statement.get("NotAction", []))):
            yield from _action_faults(str(action))
        for resource in (*listed(statement.get("Resource", [])), *listed(statement.get("NotResource", []))):
            yield from _resource_faults(str(resource), partition)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _action_faults(action: str) -> Iterator[str]:
    if ":" in action and WILDCARD.search(action.partition(":")[0]):
        yield "Action vendors (e.g., aws, ec2, etc.) must not contain wildcards."


def _resource_faults(resource: str, partition: str) -> Iterator[str]:
    if resource == "*" or not resource.startswith("arn:"):
        return  # moto's check of what is no ARN has IAM's words
    parts = resource.split(":", ARN_PARTS - 1)
    if len(parts) < ARN_PARTS:
        yield LEGACY
        return
    _, named, service, region, account, path = parts
    if WILDCARD.search(service):
        yield "Resource vendor must be fully qualified and cannot contain regexes."
    if named not in (partition, "*"):
        yield f'Partition "{named}" is not valid for resource "{resource}".'
    is_bucket = service == "s3" and "/" not in path
    if _is_set(region) and (is_bucket or service in GLOBAL_SERVICES):
        yield f"Resource {resource} can not contain region information."
    if _is_set(account) and is_bucket:
        yield f"Resource {resource} cannot contain an account id."


def _is_set(part: str) -> bool:
    return bool(part.strip("*?"))


def _condition_faults(condition: Any) -> Iterator[str]:
    if not isinstance(condition, Mapping):
        yield SYNTAX
        return
    for operator, keys in condition.items():
        root = SET_OPERATOR.sub("", operator, count=1)
        if root == f"Null{IF_EXISTS}" or not isinstance(keys, Mapping):
            yield SYNTAX
            continue
        check = _VALUES.get(root.removesuffix(IF_EXISTS), _VALUES.get(_family(root)))
        for value in (each for values in keys.values() for each in listed(values)):
            if isinstance(value, Mapping | list):
                yield SYNTAX
            elif check is not None and not check[0](str(value)):
                yield check[1]


def _family(operator: str) -> str:
    """``Numeric``, ``Date`` or ``Arn``: operators that compare values of one form."""
    return next((name for name in ("Numeric", "Date", "Arn") if operator.startswith(name)), "")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_arn(text: str) -> bool:
    """A policy variable may hold any part of it."""
    return text == "*" or "${" in text or (text.startswith("arn:") and text.count(":") >= ARN_PARTS - 1)


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_DATE = re.compile(
    r"\d+|\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?"
)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_VALUES: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "Numeric": (_NUMBER.fullmatch, LEGACY),
    "Date": (_DATE.fullmatch, LEGACY),
    "Arn": (_is_arn, LEGACY),
    "IpAddress": (_is_address, LEGACY),
    "NotIpAddress": (_is_address, LEGACY),
    "BinaryEquals": (_BASE64.fullmatch, SYNTAX),
}
"""The form of the values of an operator, and IAM's error for another form."""

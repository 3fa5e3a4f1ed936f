"""The 27 condition operators of IAM, each as a comparison of one value of the request with one of the policy.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
"""

from __future__ import annotations

import base64
import ipaddress
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct

from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.patterns import arn_matches, literal, matches

Comparison = Callable[[str, str], bool]
"""A function of a value of the request and an expanded value of the policy."""
NULL = "Null"


class Operator(Struct, frozen=True):
    """A ``negated`` operator is met where its comparison fails for every value of the policy."""

    compare: Comparison
    negated: bool = False
    takes_variables: bool = False


def _number(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


def _date(text: str) -> datetime:
    """ISO 8601 or seconds since 1970; without a time zone it is UTC."""
    if re.fullmatch(r"\d{5,}", text):
        return datetime.fromtimestamp(int(text), UTC)
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _parsed(read: Callable[[str], Any], compare: Callable[[Any, Any], bool] = operator.eq) -> Comparison:
    """A value of the request that cannot be read does not match; one of the policy raises ``PolicyError``."""

    def compared(value: str, wanted: str) -> bool:
        try:
            right = read(wanted)
        except (ValueError, InvalidOperation) as error:
            raise PolicyError(f"{wanted} is not a valid value of its condition operator") from error
        try:
            left = read(value)
        except (ValueError, InvalidOperation):
            return False
        return compare(left, right)

    return compared


def _network(text: str) -> Any:
    return ipaddress.ip_network(text, strict=False)


def _within(address: Any, network: Any) -> bool:
    return bool(address.version == network.version and address.subnet_of(network))


def _ordered(family: str, read: Callable[[str], Any]) -> Iterator[tuple[str, Operator]]:
    yield f"{family}Equals", Operator(_parsed(read))
    yield f"{family}NotEquals", Operator(_parsed(read), negated=True)
    for name, compare in (("Less", operator.lt), ("Greater", operator.gt)):
        yield f"{family}{name}Than", Operator(_parsed(read, compare))
    for name, compare in (("Less", operator.le), ("Greater", operator.ge)):
        yield f"{family}{name}ThanEquals", Operator(_parsed(read, compare))


def _with_negation(name: str, negation: str, compare: Comparison) -> Iterator[tuple[str, Operator]]:
    yield name, Operator(compare, takes_variables=True)
    yield negation, Operator(compare, negated=True, takes_variables=True)


def _equal(value: str, wanted: str) -> bool:
    return value == literal(wanted)


def _equal_without_case(value: str, wanted: str) -> bool:
    return value.lower() == literal(wanted).lower()


def _like(value: str, wanted: str) -> bool:
    return matches(wanted, value)


def _arn_like(value: str, wanted: str) -> bool:
    return arn_matches(wanted, value)


OPERATORS: Mapping[str, Operator] = dict(
    (
        *_with_negation("StringEquals", "StringNotEquals", _equal),
        *_with_negation("StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase", _equal_without_case),
        *_with_negation("StringLike", "StringNotLike", _like),
        *_with_negation("ArnEquals", "ArnNotEquals", _arn_like),  # IAM: the same as ArnLike
        *_with_negation("ArnLike", "ArnNotLike", _arn_like),
        *_ordered("Numeric", _number),
        *_ordered("Date", _date),
        ("Bool", Operator(_parsed(_truth))),
        ("BinaryEquals", Operator(_parsed(_bytes))),
        ("IpAddress", Operator(_parsed(_network, _within))),
        ("NotIpAddress", Operator(_parsed(_network, _within), negated=True)),
        (NULL, Operator(_parsed(_truth))),
    )
)
"""Operators by name. ``Null`` compares whether the key is absent."""

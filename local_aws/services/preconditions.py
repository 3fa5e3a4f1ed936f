"""Preconditions of operations: rows of API errors that depend on a request alone, or on what it names."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jmespath
from botocore import xform_name
from botocore.exceptions import ClientError

from local_aws.api_errors import ErrorRow, api_error, error_rows
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge, limit
from local_aws.resource_types.templates import Values, filled
from local_aws.services.iam.policy_documents import allowed_principals, statements


class _Functions(jmespath.functions.Functions):  # type: ignore[misc]  # jmespath has no types
    """Functions that JMESPath does not have. An absent value is valid, and so is one of an absent limit."""

    @jmespath.functions.signature({"types": ["string", "null"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_matches(self, text: str | None, pattern: str) -> bool:
        return text is None or re.fullmatch(pattern, text) is not None

    @jmespath.functions.signature({"types": ["string"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_split(self, text: str, separator: str) -> list[str]:
        return text.split(separator)

    @jmespath.functions.signature({"types": ["string", "null"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_fits(self, text: str | None, limit_name: str) -> bool:
        return text is None or limit(limit_name).problem_with(text) is None

    @jmespath.functions.signature({"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_minimum(self, limit_name: str) -> int | None:
        return knowledge().limits[limit_name].minimum if limit_name in knowledge().limits else None

    @jmespath.functions.signature({"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_maximum(self, limit_name: str) -> int | None:
        return knowledge().limits[limit_name].maximum if limit_name in knowledge().limits else None

    @jmespath.functions.signature({"types": ["number", "null"]}, {"types": ["number", "null"]})  # type: ignore[untyped-decorator]
    def _func_divide(self, dividend: float | None, divisor: float | None) -> float | None:
        return dividend / divisor if dividend is not None and divisor else None

    @jmespath.functions.signature({"types": ["array", "null"]})  # type: ignore[untyped-decorator]
    def _func_duplicates(self, items: list[Any] | None) -> list[Any]:
        return [item for item, number in Counter(items).items() if number > 1]

    @jmespath.functions.signature({"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_parsed(self, text: str) -> Any:
        """Returns the value of a JSON text; null for a text that is not JSON."""
        try:
            return json.loads(text)
        except ValueError:
            return None

    @jmespath.functions.signature({"types": ["object"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_trusts(self, trust_policy: dict[str, Any], service: str) -> bool:
        trust = statements(trust_policy)
        return any(service in allowed_principals(each, "sts:AssumeRole", "Service") for each in trust)


ABSENT: tuple[Any, ...] = (None, False, "", [], {})
"""Values that are false in JMESPath."""
OPTIONS = jmespath.Options(custom_functions=_Functions())


@functools.cache
def preconditions(service: str, operation: str) -> Sequence[tuple[str, ErrorRow]]:
    """Name and row of those of an operation, in the order of the file."""
    return [
        (f"{service}.{name}", row)
        for name, row in error_rows(service).items()
        if (row.when or row.exists) and f"{service}:{operation}" in row.operations
    ]


def require_preconditions(call: Call) -> None:
    """Raises ServiceError for the first that the request does not meet."""
    for name, row in preconditions(call.service, call.operation):
        for fields in violations(row, call):
            raise api_error(name, **fields)


def violations(row: ErrorRow, call: Call) -> Iterator[Mapping[str, Any]]:
    """Each with the fields of its message."""
    names: dict[str, Any] = {"region": call.region, "account": call.account}
    if row.limit:
        bounds = limit(row.limit)
        names |= {"minimum": bounds.minimum, "maximum": bounds.maximum}
    request = dict(call.parameters)
    if row.when and (result := _searched(row.when, names, request)) not in ABSENT:
        yield {**request, **names, "found": result}
    for item in _searched(row.exists, names, request) or [] if row.exists else []:
        if not _is_found(row, call, item):
            yield {**request, **names, "found": item}


def _searched(expression: str, names: Mapping[str, Any], value: Any) -> Any:
    return _compiled(_put_in(names, expression)).search(value, options=OPTIONS)


def _put_in(names: Mapping[str, Any], expression: str) -> str:
    """Filters of JMESPath see nothing outside of their item, so that values stand in the expression."""
    for name, value in names.items():
        expression = expression.replace(f"{{{name}}}", str(value))
    return expression


@functools.cache
def _compiled(expression: str) -> Any:
    return jmespath.compile(expression)


def _is_found(row: ErrorRow, call: Call, item: Any) -> bool:
    if row.by is None:
        raise LookupError(f"{row.exists} has no call that finds it")
    service, _, operation = row.by.operation.partition(":")
    names = {"@item": item, "@name": str(item).rpartition("/")[2]}
    parameters = filled(row.by.parameters, Values(call, {**call.parameters, **names}))
    try:
        answer = getattr(call.client(service), xform_name(operation))(**parameters)
    except ClientError:
        return False
    return not row.by.has or bool(_searched(row.by.has, names, answer))

"""Lists of kept rows: those that a request names, or that its filters let through, in pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error, error_rows
from local_aws.contract import Call, ServiceError
from local_aws.resource_types.templates import filled, found
from local_aws.services.paging import page
from local_aws.services.table import Table
from local_aws.services.table_rows import member_like, projected, shape_of

TAG_KEY, TAG = "tag-key", "tag:"
"""Filters by tags, in EC2."""


def listing(table: Table, call: Call) -> Mapping[str, Any]:
    shape, given = shape_of(call, "input_shape"), call.parameters
    size, token = member_like(shape, "maxResults", "limit"), member_like(shape, "nextToken")
    filters = list(_filters(table, call, {size, token}))
    rows = [row for row in _named(table, call) if _is_listed(table, call, row, filters)]
    items, more = page(rows, given.get(size), given.get(token), _page_token_error(call.service, token))
    output = shape_of(call, "output_shape")
    listed, shape = next((name, each.member) for name, each in output.members.items() if each.type_name == "list")
    shown = [found(table.stored.item or "@", table.shown(row)) for row in items]
    others = projected(filled(table.stored.defaults, table.values(call, {})), output)
    return {**others, listed: [projected(each, shape) for each in shown], **({token: more} if more else {})}


def _named(table: Table, call: Call) -> list[dict[str, Any]]:
    """The rows that the request names, or all. Raises ServiceError for a name that none has."""
    rows = table.rows(call)
    named = [table.named(rows, name) for each in table.names for name in call.parameters.get(each, ())]
    return [row for row in rows if not named or row in named]


def _filters(table: Table, call: Call, paging: set[str]) -> Iterator[tuple[str, list[Any]]]:
    """Yields the requested values of members of a row: in parameters of that name, and in its filters."""
    parent = table.stored.parent.parameter if table.stored.parent is not None else ""
    in_filters = member_like(shape_of(call, "input_shape"), "filters")
    renamed = table.stored.listings.get(call.operation, {})
    for name, value in call.parameters.items():
        if name not in {*paging, *table.names, parent, in_filters} and not isinstance(value, bool):
            yield renamed.get(name, name), value if isinstance(value, list) else [value]
    for each in call.parameters.get(in_filters, []):
        spelled = {member.lower(): value for member, value in each.items()}
        name = spelled.get("name", "")
        yield renamed.get(name, name), spelled.get("values", [])


def _is_listed(table: Table, call: Call, row: Mapping[str, Any], filters: Sequence[tuple[str, list[Any]]]) -> bool:
    """Whether the row has what the request asks for. Raises ServiceError for a filter that rows cannot answer."""
    known = {*row, *table.stored.listings.get(call.operation, {}).values()}
    compared = [([row.get(name)] if name in known else _tags_of(call, row, name), values) for name, values in filters]
    return all(any(each in values for each in found_values) for found_values, values in compared)


def _tags_of(call: Call, row: Mapping[str, Any], name: str) -> list[str]:
    """Returns the values that a filter of EC2 by tags compares. Raises ServiceError for another filter."""
    if name == TAG_KEY and "Tags" in row:
        return [tag["Key"] for tag in row["Tags"]]
    if name.startswith(TAG) and "Tags" in row:
        return [tag["Value"] for tag in row["Tags"] if tag["Key"] == name.removeprefix(TAG)]
    if "filter" in error_rows(call.service):
        raise api_error(f"{call.service}.filter", name=name)
    requested = f"{call.service}:{call.operation}"
    raise api_error("common.not_implemented", requested=requested, reason=f"it has no filter {name}")


def _page_token_error(service: str, member: str) -> ServiceError:
    own = "page_token" in error_rows(service)
    return api_error(f"{service}.page_token") if own else api_error("common.next_token", member=member)

"""Registers the operations that create, read, list, update and delete the rows of each table."""

from __future__ import annotations

from functools import partial

from local_aws.registry import OperationFunction, operation
from local_aws.services.client_tokens import once_by_token
from local_aws.services.table import Table, tables
from local_aws.services.table_listing import listing


def operations(table: Table) -> dict[str, OperationFunction]:
    """The functions of a table by operation; the function of an operation that creates and updates is ``create``."""
    bound, list_rows = table.binding, partial(listing, table)
    functions: dict[str, OperationFunction] = {each.operation: table.update for each in bound.updates}
    functions |= {bound.create.operation: table.create, bound.delete.operation: table.delete}
    functions[bound.read.operation] = list_rows if table.names else table.read
    listings = [name for name in (table.stored.listing, *table.stored.listings) if name]
    return functions | dict.fromkeys(listings, list_rows)


for _table in tables():
    for _name, _function in operations(_table).items():
        operation(_table.binding.service, _name)(once_by_token(_function))

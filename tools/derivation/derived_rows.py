"""Parts of a kept type that follow from its operations: members of responses, the key, names of parameters."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from derivation.derived_tags import LISTING
from derivation.members import member_named
from derivation.type_operations import TypeOperations
from local_aws.resource_types.binding import BoundCall, KeptRows


def kept_rows(
    derivation: TypeOperations,
    store: KeptRows,
    read: BoundCall,
    rows: str,
    properties: Mapping[str, str],
    row: Mapping[str, str],
) -> KeptRows:
    """The row's data, completed."""
    output = derivation.output(read.operation)
    member = store.member or member_named(output, rows) or ""
    named = (name for name in derivation.model.operation_names if name.lower() == f"list{derivation.noun}s")
    listing = store.listing or next(named, "")
    shape = output.members.get(member, output)
    renamed = {path: member_named(shape, row[name]) for name, path in properties.items() if name in row}
    parent = store.parent and store.parent.parameter
    return msgspec.structs.replace(
        store,
        listing=listing,
        member=member,
        tag_listing=next((name for name in LISTING if name in derivation.model.operation_names), ""),
        key=store.key or next((name for name in read.parameters if name != parent), parent or ""),
        rename={path: name for path, name in renamed.items() if name and name != path} | dict(store.rename),
    )

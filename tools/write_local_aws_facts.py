"""Writes ``local_aws/knowledge/facts/``: the catalog's rows for a local AWS that gets no others.

``python tools/write_local_aws_facts.py`` after a change of the catalog; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from neuron_cluster.catalog.resource_schema import RESOURCE_SCHEMAS, resource_schemas
from neuron_cluster.local_checks.catalog_knowledge import CATALOG_KNOWLEDGE, TABLES

FOLDER = Path(__file__).parents[1] / "local_aws/knowledge/facts"


def facts() -> Iterator[tuple[Path, bytes]]:
    """Each file and its content: a row a line."""
    for table in TABLES:
        yield FOLDER / f"{table}.json", _lines(msgspec.to_builtins(getattr(CATALOG_KNOWLEDGE, table)))
    yield FOLDER / "resource_schemas.json", _lines({name: _schema(name) for name in resource_schemas()})


def _schema(type_name: str) -> dict[str, object]:
    row = resource_schemas()[type_name]
    return {
        "source": row.source,
        "checked_on": row.checked_on,
        "create_only": sorted(RESOURCE_SCHEMAS.create_only(type_name)),
        "primary_identifier": RESOURCE_SCHEMAS.primary_identifier(type_name),
        "given_identifier": RESOURCE_SCHEMAS.given_identifier(type_name),
        "tags_follow_stack": RESOURCE_SCHEMAS.tags_follow_stack(type_name),
    }


def _lines(rows: dict[str, object]) -> bytes:
    encode = msgspec.json.encode
    return b"{\n" + b",\n".join(encode(name) + b": " + encode(row) for name, row in rows.items()) + b"\n}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for file, content in facts():
        file.write_bytes(content)


if __name__ == "__main__":
    main()

"""Writes ``local_aws/knowledge/facts/``: the catalog's rows for a local AWS that gets no others.

``python tools/write_local_aws_facts.py`` after a change of the catalog; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from neuron_cluster.local_checks.catalog_knowledge import CATALOG_KNOWLEDGE, TABLES

FOLDER = Path(__file__).parents[1] / "local_aws/knowledge/facts"


def facts() -> Iterator[tuple[Path, bytes]]:
    """Each file and its content: a row a line."""
    for table in TABLES:
        yield FOLDER / f"{table}.json", _lines(msgspec.to_builtins(getattr(CATALOG_KNOWLEDGE, table)))


def _lines(rows: dict[str, object]) -> bytes:
    encode = msgspec.json.encode
    return b"{\n" + b",\n".join(encode(name) + b": " + encode(row) for name, row in rows.items()) + b"\n}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for file, content in facts():
        file.write_bytes(content)


if __name__ == "__main__":
    main()

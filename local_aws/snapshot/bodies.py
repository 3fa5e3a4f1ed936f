"""The large values of a snapshot, each once, by the digest of its content."""

from __future__ import annotations

import hashlib
import tempfile
from typing import Any, Protocol

CHUNK = 1024 * 1024


class WritesBodies(Protocol):
    """Keeps a body under its digest."""

    def put(self, digest: str, file: Any) -> None: ...


class ReadsBodies(Protocol):
    """Opens a body, whose digest has been compared."""

    def body(self, digest: str) -> bytes: ...


def put_file(bodies: WritesBodies, file: Any) -> str:
    """Keeps all of an open file, whose position stays; gives its digest."""
    position = file.tell()
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    file.seek(0)
    bodies.put(digest.hexdigest(), file)
    file.seek(position)
    return digest.hexdigest()


def spooled(content: bytes, largest: int) -> Any:
    """A file as moto keeps the bodies of objects in."""
    file = tempfile.SpooledTemporaryFile(largest)  # noqa: SIM115 - moto closes it with its object
    file.write(content)
    return file

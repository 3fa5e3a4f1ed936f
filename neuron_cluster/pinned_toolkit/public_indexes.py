"""Whether a place of packages is an index to which every user may upload, or a mirror of one."""

from __future__ import annotations

import contextlib
from urllib.parse import unquote, urlsplit

from neuron_cluster.catalog.catalog import Catalog


def is_public(place: str, catalog: Catalog) -> bool:
    """Whether a URL is of a public index; a path is not. One that is not known is taken for the user's own."""
    host = ""
    with contextlib.suppress(ValueError):
        host = unquote(urlsplit(place.strip()).hostname or "")
        host = host.encode("idna").decode("ascii")  # other characters for a dot, as pip reads them
    host = host.rstrip(".").lower()
    return any(host == each or host.endswith(f".{each}") for each in catalog.public_indexes.names)

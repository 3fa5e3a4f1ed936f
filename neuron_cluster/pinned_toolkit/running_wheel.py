"""The wheel from which the running toolkit was installed."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION

RECORD = "direct_url.json"
"""The record of an installer on a file or a URL, with its digest. Source: https://peps.python.org/pep-0610/"""


def running_wheel() -> Path | None:
    """None where it came from an index or a checkout, and where the file is gone or another one now."""
    record = importlib.metadata.distribution(DISTRIBUTION).read_text(RECORD)
    return recorded_wheel(record) if record is not None else None


def recorded_wheel(record: str) -> Path | None:
    """The file of a record, if it still has the digest of the record."""
    try:
        found = json.loads(record)
        url, archive = urlsplit(found["url"]), found["archive_info"]
        sha256 = archive.get("hashes", {}).get("sha256") or archive.get("hash", "").removeprefix("sha256=")
        path = Path(unquote(url.path))
        is_same = url.scheme == "file" and hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return path if is_same and path.suffix == ".whl" else None

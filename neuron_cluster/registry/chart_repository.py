"""Digests from HTTP chart repositories, which have an ``index.yaml``.

Source: https://helm.sh/docs/topics/chart_repository (The Index File).
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import yaml

from neuron_cluster.registry.web import RegistryError, get

INDEX_BYTES = 64 * 2**20

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def chart_digest(repository: str, chart: str, version: str) -> str:
    """The digest of one version's archive. Raises ``RegistryError``."""
    answer = get(f"{repository.rstrip('/')}/index.yaml", accept="*/*", max_bytes=INDEX_BYTES)
    if answer.status != HTTPStatus.OK:
        raise RegistryError(f"{repository} returned {answer.status} for index.yaml")
    try:
        index = yaml.load(answer.body, Loader=Loader)  # noqa: S506 - a safe loader, in C where there is one
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RegistryError(f"the index of {repository} is not YAML") from error
    digest = next((row.get("digest") for row in _rows(index, chart) if row.get("version") == version), None)
    if not isinstance(digest, str) or not re.fullmatch(r"(sha256:)?[0-9a-f]{64}", digest):
        raise RegistryError(f"{repository} has no digest for {chart} {version}")
    return f"sha256:{digest.removeprefix('sha256:')}"


def _rows(index: Any, chart: str) -> list[dict[str, Any]]:
    entries = index.get("entries") if isinstance(index, dict) else None
    rows = entries.get(chart) if isinstance(entries, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

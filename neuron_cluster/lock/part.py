"""Parts of a lock that a provider declares. Only its provider writes and reads one; `lock` keeps it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.findings.discovery import import_by_place

PLACE = ("providers", "lock_part")
"""Folder of the toolkit's providers, and the module of each that registers its part."""

Form = tuple[str, str]
"""A regular expression over a value, and the value in words."""


class LockPart(Struct, frozen=True, kw_only=True):
    """A mapping of texts below one key of the file."""

    key: str
    noun: str
    """Its entries in the table of changes: ``AMI of nodes``."""
    forms: Mapping[str, Form]
    """The form of each key, which all are required, in the order of the file."""


_registered: dict[str, LockPart] = {}


def register_lock_part(part: LockPart) -> None:
    """Adds a part. Raises ``ValueError`` for a key that another one has."""
    if _registered.setdefault(part.key, part) is not part:
        raise ValueError(f"two parts of a lock have the key {part.key}")


def lock_parts() -> tuple[LockPart, ...]:
    """Returns all of them by key; those of the toolkit are found by their place."""
    import_by_place(*PLACE)
    return tuple(_registered[key] for key in sorted(_registered))

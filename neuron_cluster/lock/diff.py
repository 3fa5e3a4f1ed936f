"""Changes from one lock to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.part import lock_parts
from neuron_cluster.lock.tree import NOT_KNOWN, ROOT_VOLUME, LockPath, leaves, lock_tree

WITH_DIGESTS = ("charts", "images")
IMAGES = "images"
DIGEST, DIGEST_SHOWN = "sha256:", len("sha256:0123456789ab")
ABOUT_IMAGES = ("name", "neuron_sdk", ROOT_VOLUME)
"""Keys that describe an AMI for people and rules. Their values are the same for as long as the AMI exists."""
FORMAT_KEY = ("format",)
"""The key of the file's format, which pins nothing."""


class LockChange(Struct, frozen=True):
    """One entry that is added, changed or removed. ``before`` or ``after`` is None where it is not there."""

    path: LockPath
    before: str | None
    after: str | None

    @property
    def kind(self) -> str:
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    @property
    def loses_a_digest(self) -> bool:
        """Whether the registry lookup failed: what the registry has is unknown."""
        return self.path[0] in WITH_DIGESTS and self.after == NOT_KNOWN


def lock_changes(before: Lock | None, after: Lock) -> list[LockChange]:
    """In the order of the file; without an earlier lock everything is added."""
    return list(_changes(before, after))


def drift(before: Lock | None, after: Lock) -> list[LockChange]:
    """Returns values of the account that the lock does not have; a digest whose lookup failed is not one.

    Nor is what describes an AMI that stays: locks of earlier releases do not have it.
    """
    moved = {change.path[:2] for change in lock_changes(before, after) if change.path[-1] == "image_id"}
    return [
        change
        for change in lock_changes(before, after)
        if (change.before is None or not change.loses_a_digest)
        and (change.path[-1] not in ABOUT_IMAGES or change.path[:2] in moved)
    ]


def _changes(before: Lock | None, after: Lock) -> Iterator[LockChange]:
    old = dict(leaves(lock_tree(before))) if before is not None else {}
    new = dict(leaves(lock_tree(after)))
    for path in dict.fromkeys([*new, *old]):
        if path != FORMAT_KEY and old.get(path) != new.get(path):
            yield LockChange(path, old.get(path), new.get(path))


KINDS = {
    "ami_releases": "EKS AMI",
    "dlamis": "Deep Learning AMI",
    "amis": "other AMI",
    "addons": "add-on",
    "charts": "chart",
    "images": "container image",
    "storage": "deployed file system",
    "network": "existing network",
    "permission_sets": "permission set",
}


def change_as_data(change: LockChange) -> dict[str, Any]:
    """Returns a change for ``--format json``: an unknown digest is None; ``kind`` shows whether there is an entry."""
    before, after = (None if value == NOT_KNOWN else value for value in (change.before, change.after))
    return {"path": list(change.path), "kind": change.kind, "before": before, "after": after}


def change_row(change: LockChange) -> tuple[str, str, str, str, str]:
    """A change in words: what happens, to what, its name, and the values before and now."""
    section, *name = change.path
    what = _noun(section)
    return change.kind, what, " ".join(name) or section, _value(change.before), _value(change.after)


def _noun(section: str) -> str:
    of_parts = {part.key: part.noun for part in lock_parts()}
    return KINDS.get(section) or of_parts.get(section, "lock")


def pin_rows(changes: Sequence[LockChange]) -> list[tuple[str, str, str]]:
    """The entries of a new lock: kind, name and values, with digests cut short. Images are counted."""
    pins: dict[tuple[str, str], list[str]] = {}
    images = [change for change in changes if change.path[0] == IMAGES]
    for change in changes:
        section, name = change.path[0], change.path[1] if len(change.path) > 1 else change.path[0]
        if section != IMAGES:
            pins.setdefault((_noun(section), str(name)), []).append(_short(change.after))
    rows = [(kind, name, ", ".join(filter(None, values)) or "not known") for (kind, name), values in pins.items()]
    if images:
        known = sum(change.after != NOT_KNOWN for change in images)
        rows.append(("container images", f"{len(images)}", f"{known} with a digest" if known else "digests not known"))
    return rows


def _short(value: str | None) -> str:
    """Nothing for a value that is not known; the beginning of a digest."""
    if value is None or value == NOT_KNOWN:
        return ""
    return f"{value[:DIGEST_SHOWN]}…" if value.startswith(DIGEST) else value


def _value(value: str | None) -> str:
    return {None: "-", NOT_KNOWN: "not known"}.get(value) or str(value)

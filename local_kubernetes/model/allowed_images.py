"""Which images a list of repositories, folders of repositories and references allows.

The comparison is one of text: an image without a registry (``busybox``) is in no list, since every entry names one.
"""

from __future__ import annotations

from collections.abc import Sequence


def exact_images(entries: Sequence[str]) -> tuple[str, ...]:
    """Images that are allowed as they are written: repositories without a tag, and references."""
    return tuple(each for each in entries if not _is_folder(each))


def image_beginnings(entries: Sequence[str]) -> tuple[str, ...]:
    """Returns further beginnings of allowed images: each ends where a name of a repository cannot go on."""
    return tuple(beginning for each in entries for beginning in _beginnings(each))


def is_allowed(image: str, entries: Sequence[str]) -> bool:
    """Whether the list allows an image of a pod, as the pod names it."""
    return image in exact_images(entries) or image.startswith(image_beginnings(entries))


def is_covered(entry: str, other: str) -> bool:
    """Whether ``other`` allows every image that ``entry`` does."""
    return entry == other or entry.startswith(_beginnings(other))


def _is_folder(entry: str) -> bool:
    return entry.endswith("/")


def _beginnings(entry: str) -> tuple[str, ...]:
    """Returns a folder itself; a repository with the character before a tag or digest; nothing for a reference."""
    if _is_folder(entry):
        return (entry,)
    last = entry.rpartition("/")[2]
    return () if ":" in last or "@" in last else (f"{entry}:", f"{entry}@")

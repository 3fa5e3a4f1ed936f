"""References of container images: repository, tag and digest."""

from __future__ import annotations

from msgspec import Struct

MOVING_TAG = "latest"
"""Also what a reference without tag and digest means (https://kubernetes.io/docs/concepts/containers/images/)."""


class ImageReference(Struct, frozen=True):
    """``repository`` has the registry where the reference names one. ``tag`` and ``digest`` are None without one."""

    repository: str
    tag: str | None = None
    digest: str | None = None

    @property
    def name(self) -> str:
        """Without the digest."""
        return f"{self.repository}:{self.tag}" if self.tag is not None else self.repository

    @property
    def is_pinned(self) -> bool:
        """Whether it names the same image tomorrow, as far as tags do not move."""
        return self.digest is not None or self.tag not in (None, MOVING_TAG)


def image_reference(text: str) -> ImageReference:
    """``REGISTRY/REPOSITORY:TAG@DIGEST`` in its parts; the port of a registry is not a tag."""
    name, _, digest = text.partition("@")
    folder, slash, last = name.rpartition("/")
    repository, _, tag = last.partition(":")
    return ImageReference(f"{folder}{slash}{repository}", tag or None, digest or None)

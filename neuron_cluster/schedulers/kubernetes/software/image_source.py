"""Under which name nodes pull an image of ours, and at which digest."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from neuron_cluster.plan.image_cache_plan import ImageCachePlan


class ImageSource(Struct, frozen=True):
    """The image cache of the environment, if it has one, and the digests of its lock by public name."""

    cache: ImageCachePlan | None = None
    has_internet: bool = True
    digests: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def reaches_public_images(self) -> bool:
        """Whether nodes can pull an image of a public registry."""
        return self.has_internet or self.cache is not None

    def pulled_as(self, reference: str) -> str:
        """The name in the cache, where it has the image's registry."""
        return (self.cache.mirror_of(reference) if self.cache is not None else None) or reference

    def pinned(self, reference: str) -> str:
        """The same with the digest of the lock, where it has one."""
        digest = self.digests.get(reference)
        return f"{self.pulled_as(reference)}@{digest}" if digest is not None else self.pulled_as(reference)

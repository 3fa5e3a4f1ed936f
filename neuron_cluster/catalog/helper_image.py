"""Small images that the toolkit's own objects run."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class HelperImage(SourcedRow, frozen=True, kw_only=True):
    """One image, with its registry and an immutable tag."""

    image: str

    def contradictions(self) -> Iterator[tuple[str, str]]:
        repository, _, tag = self.image.rpartition(":")
        if not repository or "/" in tag or tag == "latest":
            yield "image", "has no immutable tag"

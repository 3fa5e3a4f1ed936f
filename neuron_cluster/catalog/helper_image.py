"""Small images that the toolkit's own objects run."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class HelperImage(SourcedRow, frozen=True, kw_only=True):
    """One image, with its registry and an immutable tag."""

    image: str

    def contradictions(self) -> Iterator[tuple[str, str]]:
        repository, _, tag = self.image.rpartition(":")
        if not repository or "/" in tag or tag == "latest":
            yield "image", "has no immutable tag"


@functools.cache
def helper_images() -> FrozenMap[str, HelperImage]:
    """All helper images by name."""
    return read_rows(DATA_DIRECTORY / "helper_images.yaml", HelperImage)


def helper_image(name: str) -> HelperImage | None:
    """The image of this name, or None."""
    return helper_images().get(name)

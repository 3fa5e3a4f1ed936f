"""Neuron Deep Learning Containers: images by SDK release, framework and instance families."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class Container(SourcedRow, frozen=True, kw_only=True):
    """One image. ``name`` is ``<repository's last part>:<tag>``; ``repository`` is the full reference without the tag.

    ``framework`` is the name of a row of the frameworks. ``successor`` names the image to move to once this one is
    no longer built for newer releases; None while it is.
    """

    repository: str
    tag: str
    neuron_sdk: str
    framework: str
    framework_version: str
    python: str
    operating_system: str
    families: tuple[str, ...]
    successor: str | None
    has_sagemaker_entry_point: bool = False
    """Whether it has the package sagemaker-pytorch-training, with which SageMaker starts a program by itself."""

    @property
    def image(self) -> str:
        """The reference for ``docker pull``."""
        return f"{self.repository}:{self.tag}"

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.name != f"{self.repository.rpartition('/')[2]}:{self.tag}":
            yield "name", "is not <repository's last part>:<tag>"
        if f"sdk{self.neuron_sdk}" not in self.tag:
            yield "neuron_sdk", f"{self.neuron_sdk} is not the release that the tag names"
        if not self.families:
            yield "families", "an image that runs on no instance family is of no use"


class ContainerTable(Table[Container]):
    def get(self, name: str) -> Container | None:
        """The image of this name, or of this full reference (repository and tag); None when it is not known."""
        return super().get(name.rpartition("/")[2])

    def similar(self, name: str) -> list[str]:
        return super().similar(name.rpartition("/")[2])

    def reference(self, name: str) -> str:
        """The reference that nodes pull: a name without a registry is an image of the public Neuron gallery."""
        known = self.get(name) if "/" not in name else None
        return known.image if known is not None else name

    def is_of_gallery(self, name: str) -> bool:
        """Whether an image name is of the public Neuron gallery: with its repository path, or with none."""
        place = name.rpartition("/")[0]
        return not place or any(row.repository.rpartition("/")[0] == place for row in self)

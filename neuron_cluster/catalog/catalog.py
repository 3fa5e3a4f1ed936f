"""The catalog as one object, which rules and plan receive as an argument and query."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.aws_services import ServiceFacts
from neuron_cluster.catalog.cluster_software import SoftwareFacts
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.hardware import HardwareFacts
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.machine_images import ImageFacts


class Catalog(HardwareFacts, ImageFacts, SoftwareFacts, ServiceFacts, Struct, frozen=True):
    """Every query reads its data file at its first call, and not again in this process.

    A query by name returns None for an unknown name; ``near_…`` then returns similar names.
    Raises CatalogError when a data file is wrong.
    """

    def container_runs_on(self, image: Container, row: InstanceType) -> bool:
        """Whether the image supports the instance type: families of one chip generation (trn1, trn1n) share images."""
        chip = self.chip(row.chip) if row.chip is not None else None
        families = {row.family, *(chip.families if chip is not None else ())}
        return not families.isdisjoint(image.families)


def load_catalog() -> Catalog:
    """The catalog that this release ships. Reads no file yet."""
    return Catalog()

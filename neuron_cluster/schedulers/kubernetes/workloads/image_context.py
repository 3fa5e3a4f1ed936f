"""The environment, catalog and locked digests in which images of workloads are looked up."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from local_kubernetes.model.image_reference import ImageReference, image_reference
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.plan.cluster_plan import ClusterPlan


class ImageContext(Struct, frozen=True):
    """The environment, and the digests of its lock by image."""

    plan: ClusterPlan
    catalog: Catalog
    digests: Mapping[str, str | None]

    def row_of(self, reference: ImageReference) -> Container | None:
        """The image of the catalog with its name and tag, in any registry, or with its digest in the lock."""
        if reference.tag is not None:
            return self.catalog.containers.get(reference.name)
        locked = [image for image, digest in self.digests.items() if digest and digest == reference.digest]
        return next((row for image in locked if (row := self.catalog.containers.get(image)) is not None), None)

    def framework_of(self, image: str) -> str | None:
        """The framework of an image, as a container names it; None where the catalog does not have the image."""
        row = self.row_of(image_reference(image))
        return row.framework if row is not None else None

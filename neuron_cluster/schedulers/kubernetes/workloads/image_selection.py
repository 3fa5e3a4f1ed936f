"""Which container image a workload runs in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.image_reference import ImageReference, image_reference
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.schedulers.kubernetes.software.framework_images import newest_container
from neuron_cluster.schedulers.kubernetes.software.front_ends import preferred
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe


class SelectedImage(Struct, frozen=True):
    """A front end, and the row of the catalog that it runs in; None where no public image is known."""

    front_end: str
    container: Container | None


def select_image(
    recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog, *, front_end: str | None, declared: Sequence[str] = ()
) -> SelectedImage | None:
    """The requested front end, else the first that has an image for this chip; None when none runs there. Those of the
    ``declared`` frameworks of the file come first.

    The image of the environment's own SDK release is taken, else the newest before it: a driver works with the
    runtimes of releases before its own (the catalog's driver windows; rules check them for the node's AMI).
    """
    requested = preferred(declared, recipe.front_ends, catalog) if front_end is None else (front_end,)
    of_chip = None if recipe.runs_on_cpu_nodes else chip  # processors run the image of any chip
    for name in requested:
        container = newest_container(recipe.front_ends[name], of_chip, sdk, catalog)
        if container is not None:
            return SelectedImage(name, container)
    for name in requested:
        if not _has_rows(recipe.front_ends[name], catalog) and _may_run(recipe.front_ends[name], chip, catalog):
            return SelectedImage(name, None)
    return None


def front_ends_on(recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog) -> list[str]:
    """Returns the values of ``--front-end`` on this chip."""
    return [name for name in recipe.front_ends if select_image(recipe, chip, sdk, catalog, front_end=name) is not None]


class PulledImage(Struct, frozen=True):
    """The image of the pods of a chart. ``usual`` is the toolkit's choice, ``container`` the row of the pulled image.

    ``reference`` is None where neither the catalog nor the user names an image.
    """

    front_end: str
    usual: Container | None
    reference: ImageReference | None
    container: Container | None


def pulled_image(image: SelectedImage, options: WorkloadOptions, context: ImageContext) -> PulledImage:
    """The selected image, with repository, tag and digest of the user's values in their place."""
    usual = image.container
    keys = [f"image.{part}" for part in ("repository", "tag", "digest")]
    repository, tag, digest = (options.text(key) for key in keys)
    if usual is not None:
        repository = repository or cached_repository(usual, context.plan.image_cache)
        tag = tag if tag or digest else usual.tag
    if repository is None:
        return PulledImage(image.front_end, usual, None, None)
    name = image_reference(f"{repository}:{tag}" if tag else repository)
    reference = ImageReference(name.repository, name.tag, digest or name.digest)
    return PulledImage(image.front_end, usual, reference, context.row_of(reference))


def image_values(image: PulledImage, context: ImageContext) -> dict[str, Any]:
    """The chart's ``image``, through the environment's cache; the digest is that of the lock, empty without one."""
    usual, row = image.usual, image.container
    if usual is None:
        return {}
    digest = context.digests.get(row.image) if row is not None else None
    repository = cached_repository(usual, context.plan.image_cache)
    return {"image": {"repository": repository, "tag": usual.tag, "digest": digest or ""}}


def cached_repository(container: Container, cache: ImageCachePlan | None) -> str:
    """Where nodes pull it from."""
    mirror = cache.mirror_of(container.repository) if cache is not None else None
    return mirror or container.repository


def _has_rows(framework: str, catalog: Catalog) -> bool:
    return any(row.framework == framework for row in catalog.containers)


def _may_run(framework: str, chip: Chip, catalog: Catalog) -> bool:
    row = catalog.frameworks.get(framework)
    return row is not None and any(chip.name in each.chips and each.state != "retired" for each in row.support)

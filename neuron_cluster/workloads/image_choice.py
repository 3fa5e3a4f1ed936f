"""Which container image a workload runs in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.version import version_key
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.workloads.recipe import Recipe


class ImageChoice(Struct, frozen=True):
    """A front end, and the row of the catalog that it runs in; None where no public image is known."""

    front_end: str
    container: Container | None


def image_choice(
    recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog, *, front_end: str | None
) -> ImageChoice | None:
    """The wished front end, else the first that has an image for this chip; None when none runs there.

    The image of the environment's own SDK release is taken, else the newest before it: a driver works with the
    runtimes of releases before its own (the catalog's driver windows; rules judge them for the node's AMI).
    """
    wished = recipe.front_ends if front_end is None else (front_end,)
    for name in wished:
        container = newest_container(recipe.front_ends[name], chip, sdk, catalog)
        if container is not None:
            return ImageChoice(name, container)
    for name in wished:
        if not _has_rows(recipe.front_ends[name], catalog) and _may_run(recipe.front_ends[name], chip, catalog):
            return ImageChoice(name, None)
    return None


def newest_container(framework: str, chip: Chip, sdk: str, catalog: Catalog) -> Container | None:
    """Of this framework, for this chip, of the SDK release or the nearest one before it."""
    fitting = [
        row
        for row in catalog.containers
        if row.framework == framework
        and set(row.families) & set(chip.families)
        and version_key(row.neuron_sdk) <= version_key(sdk)
    ]
    return max(fitting, key=lambda row: (version_key(row.neuron_sdk), version_key(row.framework_version)), default=None)


def front_ends_on(recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog) -> list[str]:
    """What ``--front-end`` can be on this chip."""
    return [name for name in recipe.front_ends if image_choice(recipe, chip, sdk, catalog, front_end=name) is not None]


def image_values(
    container: Container, digests: Mapping[str, str | None], cache: ImageCachePlan | None
) -> dict[str, str]:
    """The chart's ``image``, through the environment's cache; the digest is that of the lock, empty without one."""
    digest = digests.get(container.image) or ""
    return {"repository": cached_repository(container, cache), "tag": container.tag, "digest": digest}


def cached_repository(container: Container, cache: ImageCachePlan | None) -> str:
    """Where nodes pull it from."""
    mirror = cache.mirror_of(container.repository) if cache is not None else None
    return mirror or container.repository


def _has_rows(framework: str, catalog: Catalog) -> bool:
    return any(row.framework == framework for row in catalog.containers)


def _may_run(framework: str, chip: Chip, catalog: Catalog) -> bool:
    row = catalog.framework(framework)
    return row is not None and any(chip.name in each.chips and each.state != "retired" for each in row.support)

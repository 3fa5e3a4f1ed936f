"""Which container image a workload runs in, and the findings about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.software.framework_images import newest_container
from neuron_cluster.software.needed_software import private_ecr, registry_of
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import Recipe


class SelectedImage(Struct, frozen=True):
    """A front end, and the row of the catalog that it runs in; None where no public image is known."""

    front_end: str
    container: Container | None


def select_image(
    recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog, *, front_end: str | None
) -> SelectedImage | None:
    """The requested front end, else the first that has an image for this chip; None when none runs there.

    The image of the environment's own SDK release is taken, else the newest before it: a driver works with the
    runtimes of releases before its own (the catalog's driver windows; rules check them for the node's AMI).
    """
    requested = recipe.front_ends if front_end is None else (front_end,)
    for name in requested:
        container = newest_container(recipe.front_ends[name], chip, sdk, catalog)
        if container is not None:
            return SelectedImage(name, container)
    for name in requested:
        if not _has_rows(recipe.front_ends[name], catalog) and _may_run(recipe.front_ends[name], chip, catalog):
            return SelectedImage(name, None)
    return None


def front_ends_on(recipe: Recipe, chip: Chip, sdk: str, catalog: Catalog) -> list[str]:
    """What ``--front-end`` can be on this chip."""
    return [name for name in recipe.front_ends if select_image(recipe, chip, sdk, catalog, front_end=name) is not None]


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


def image_findings(
    recipe: Recipe, image: SelectedImage, chip: Chip, plan: ClusterPlan, catalog: Catalog, options: WorkloadOptions
) -> Iterator[Finding]:
    """Errors where nodes could not pull it or there is none, warnings about its age."""
    own = options.text("image.repository")
    cache = plan.image_cache
    repository = own or (cached_repository(image.container, cache) if image.container is not None else None)
    if repository is None:
        message = f"no public image has front end {image.front_end}"
        hint = "build one and set it: --set image.repository=REPOSITORY --set image.tag=TAG (or image.digest)"
        yield finding("E9207", recipe.chart, "image.repository", message, hint)
    elif not plan.network.has_internet and not _is_within_reach(repository, plan, catalog):
        message = f"{plan.name} has no route to the internet, and {repository} is not in ECR of its Region"
        way = f"set {plan.kubernetes.key('image_cache')}: true" if plan.kubernetes is not None else "use a NAT gateway"
        if cache is not None and own is not None and (through_it := cache.mirror_of(own)) is not None:
            way = f"pull it through the cache, --set image.repository={through_it}"
        hint = f"{way}; or mirror it to ECR and use --set image.repository=…"
        yield finding("E9208", recipe.chart, "image.repository", message, hint)
    if own is None and image.container is not None:
        yield from _age(recipe, image, chip, plan, catalog)


def _is_within_reach(repository: str, plan: ClusterPlan, catalog: Catalog) -> bool:
    """Endpoints reach the ECR registries of the Region, of any account, and no others."""
    host = private_ecr(registry_of(repository), catalog)
    return host is not None and host.region == plan.region


def _age(recipe: Recipe, image: SelectedImage, chip: Chip, plan: ClusterPlan, catalog: Catalog) -> Iterator[Finding]:
    row = image.container
    framework = catalog.framework(row.framework) if row is not None else None
    if row is None or framework is None:
        return
    support = framework.support_on(chip.name, row.neuron_sdk)
    if support is not None and support.state == "retired":
        message = (
            f"{framework.title} is no longer supported on {chip.title} in SDK {row.neuron_sdk}, the image's release"
        )
        successor = framework.successor_on(chip.name, row.neuron_sdk)
        hint = f"plan the migration to {successor}" if successor else "the catalog has no successor"
        yield finding("W9216", recipe.chart, "image.tag", message, hint)
    elif row.neuron_sdk != plan.neuron_sdk:
        message = (
            f"the newest image for {image.front_end} has SDK {row.neuron_sdk}, but the environment has "
            f"{plan.neuron_sdk}"
        )
        hint = "no change is required: older images run on newer drivers; releases do not share compiled graphs"
        yield finding("W9216", recipe.chart, "image.tag", message, hint)

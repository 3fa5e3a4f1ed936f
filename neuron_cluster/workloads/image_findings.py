"""What is wrong, or worth knowing, about the image of a workload."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.software.needed_software import private_ecr, registry_of
from neuron_cluster.workloads.image_choice import ImageChoice, cached_repository
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.refusal import finding


def image_findings(
    recipe: Recipe, image: ImageChoice, chip: Chip, plan: ClusterPlan, catalog: Catalog, wish: WorkloadOptions
) -> Iterator[Finding]:
    """Errors where nodes could not pull it or there is none, warnings about its age."""
    own = wish.text("image.repository")
    cache = plan.eks.image_cache if plan.eks is not None else None
    repository = own or (cached_repository(image.container, cache) if image.container is not None else None)
    if repository is None:
        message = f"no public image holds front end {image.front_end}"
        hint = "build one and name it: --set image.repository=REPOSITORY --set image.tag=TAG (or image.digest)"
        yield finding("E9207", recipe.chart, "image.repository", message, hint)
    elif not plan.network.has_internet and not _is_within_reach(repository, plan, catalog):
        message = f"the network of {plan.name} has no way to the internet, and {repository} is not in ECR of its Region"
        way = "set eks.image_cache: true"
        if cache is not None and own is not None and (through_it := cache.mirror_of(own)) is not None:
            way = f"pull it through the cache, --set image.repository={through_it}"
        hint = f"{way}; or mirror it into ECR and name it by --set image.repository=…"
        yield finding("E9208", recipe.chart, "image.repository", message, hint)
    if own is None and image.container is not None:
        yield from _age(recipe, image, chip, plan, catalog)


def _is_within_reach(repository: str, plan: ClusterPlan, catalog: Catalog) -> bool:
    """Endpoints reach the ECR registries of the Region, of any account, and no others."""
    host = private_ecr(registry_of(repository), catalog)
    return host is not None and host.region == plan.region


def _age(recipe: Recipe, image: ImageChoice, chip: Chip, plan: ClusterPlan, catalog: Catalog) -> Iterator[Finding]:
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
        hint = f"plan the move to {successor}" if successor else "no successor is known"
        yield finding("W9216", recipe.chart, "image.tag", message, hint)
    elif row.neuron_sdk != plan.neuron_sdk:
        message = (
            f"the newest image for {image.front_end} is of SDK {row.neuron_sdk}; the environment has {plan.neuron_sdk}"
        )
        hint = "nothing to do: older images run on newer drivers; compiled graphs are not shared between releases"
        yield finding("W9216", recipe.chart, "image.tag", message, hint)

"""The image that a workload really runs, compared with front end, chip and driver of the nodes."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.version import version_key
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.image_selection import SelectedImage
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import Recipe

TAG = "image.tag"


def window_findings(
    recipe: Recipe,
    image: SelectedImage,
    chip: Chip,
    cluster: KubernetesPlan,
    group: NodeGroupPlan,
    catalog: Catalog,
    options: WorkloadOptions,
) -> Iterator[Finding]:
    """E9241 to E9243 for unknown images, for those of another chip, and for runtimes that the driver does not support.

    W9244 where that is in doubt. A copy of an image in another registry is recognized by its name and tag.
    """
    name = _name(image, options)
    if name is None:
        return
    row = catalog.container(name)
    if row is None:
        yield _unknown(recipe, name, image, catalog)
        return
    problem = _misplaced(row, recipe, image, chip)
    if problem is not None:
        hint = _instead(row, recipe, image, chip, group, catalog) or "`neuron-cluster catalog containers` lists them"
        yield finding("E9242", recipe.chart, TAG, problem, hint)
        return
    yield from _clash(row, recipe, image, chip, cluster, group, catalog)


def _name(image: SelectedImage, options: WorkloadOptions) -> str | None:
    """``REPOSITORY:TAG`` of the image; None where nothing names it, or only by digest."""
    if options.text("image.digest") is not None and not options.sets(TAG):
        return None
    row = image.container
    repository = options.text("image.repository") or (row.repository if row is not None else None)
    tag = options.text(TAG) or (row.tag if row is not None else None)
    return f"{repository}:{tag.partition('@')[0]}" if repository and tag else None


def _unknown(recipe: Recipe, name: str, image: SelectedImage, catalog: Catalog) -> Finding:
    repository = name.rpartition(":")[0]
    if any(row.repository.rpartition("/")[2] == repository.rpartition("/")[2] for row in catalog.containers):
        known = f"{name} is not in the catalog"
        take = f"--set {TAG}={image.container.tag}; " if image.container is not None else ""
        hint = (
            f"{did_you_mean(catalog.similar_containers(name))}{take}`neuron-cluster catalog containers` lists the known"
        )
        return finding("E9241", recipe.chart, TAG, known, hint)
    message = f"{name} is not in the catalog: its Neuron runtime was not compared with the driver of the nodes"
    hint = "look up aws-neuronx-runtime-lib in it; `neuron-cluster catalog conflicts` has the windows"
    return finding("W9244", recipe.chart, "image.repository", message, hint)


def _misplaced(row: Container, recipe: Recipe, image: SelectedImage, chip: Chip) -> str | None:
    if not set(row.families) & set(chip.families):
        return f"{row.name} supports {', '.join(row.families)}, but the nodes have {chip.title}"
    framework = recipe.front_ends.get(image.front_end)
    if framework is not None and row.framework != framework:
        return f"{row.name} has {row.framework}, but front end {image.front_end} requires {framework}"
    return None


def _clash(
    row: Container,
    recipe: Recipe,
    image: SelectedImage,
    chip: Chip,
    cluster: KubernetesPlan,
    group: NodeGroupPlan,
    catalog: Catalog,
) -> Iterator[Finding]:
    sdk, release = catalog.neuron_sdk(row.neuron_sdk), _release(group, catalog)
    runtime, driver = sdk.runtime if sdk is not None else None, release.driver if release is not None else None
    if sdk is None or runtime is None or driver is None or release is None:
        return
    conflicts = catalog.conflicts_between(runtime, driver)
    if not conflicts:
        return
    doubt = next(iter(conflicts[0].doubt.values()), None) or sdk.doubt_about("runtime") or release.doubt_about("driver")
    message = (
        f"{row.name} has runtime {runtime}, which works with {catalog.driver_window(runtime).description}; "
        f"driver {driver} of {group.name} (AMI release {group.image.release}) is outside: {conflicts[0].symptom}"
    )
    ways = [_instead(row, recipe, image, chip, group, catalog), _other_release(runtime, cluster, group, catalog)]
    hint = ", or ".join(way for way in ways if way) or "use another front end, or nodes with another AMI release"
    in_doubt = f"; in doubt: {doubt}" if doubt else ""
    yield finding("W9244" if doubt else "E9243", recipe.chart, TAG, message + in_doubt, hint)


def _release(group: NodeGroupPlan, catalog: Catalog) -> AmiRelease | None:
    return catalog.ami_release(group.image.release) if group.image.release is not None else None


def _instead(
    row: Container, recipe: Recipe, image: SelectedImage, chip: Chip, group: NodeGroupPlan, catalog: Catalog
) -> str | None:
    """The newest image of the front end for this chip that works with the driver of the nodes."""
    fitting = [
        each
        for each in catalog.containers
        if each.framework == recipe.front_ends.get(image.front_end)
        and set(each.families) & set(chip.families)
        and _works(each, group, catalog)
    ]
    best = max(
        fitting, key=lambda each: (version_key(each.neuron_sdk), version_key(each.framework_version)), default=None
    )
    if best is None or best.name == row.name:
        return None
    repository = f"--set image.repository={best.repository} " if best.repository != row.repository else ""
    return f"{repository}--set {TAG}={best.tag}"


def _works(row: Container, group: NodeGroupPlan, catalog: Catalog) -> bool:
    sdk, release = catalog.neuron_sdk(row.neuron_sdk), _release(group, catalog)
    if release is None or release.driver is None:
        return True
    return sdk is not None and sdk.runtime is not None and not catalog.conflicts_between(sdk.runtime, release.driver)


def _other_release(runtime: str, cluster: KubernetesPlan, group: NodeGroupPlan, catalog: Catalog) -> str | None:
    """An edit of the environment file: the newest AMI release whose driver works with the runtime."""
    for release in catalog.ami_releases:
        version = release.release_version(cluster.version)
        if version and release.driver and not catalog.conflicts_between(runtime, release.driver):
            return f"set ami_release of {group.name} to {version} (driver {release.driver}) in the environment file"
    return None

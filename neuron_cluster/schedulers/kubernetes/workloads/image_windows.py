"""An image against the nodes that run it: Neuron devices, driver and SDK release."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from local_kubernetes.model.image_reference import ImageReference
from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.version import version_key
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import chip_of
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext

CATALOG = "`neuron-cluster catalog containers` lists the known"


class ImageProblem(Struct, frozen=True):
    """``part`` is what is to change: ``repository`` or ``tag``. ``instead`` is an image that works."""

    finding_id: str
    part: str
    message: str
    hint: str
    instead: Container | None = None


def unknown_image(reference: ImageReference, context: ImageContext) -> ImageProblem:
    """E9241 for an image that the Neuron gallery does not have, W9244 for one of which nothing is known."""
    public = context.plan.public_name(reference.repository)
    if "/" in public and context.catalog.containers.is_of_gallery(public) and reference.digest is None:
        tag = "without a tag" if reference.tag is None else f"with tag {reference.tag}"
        message = f"the catalog has no image {public} {tag}"
        near = did_you_mean(context.catalog.containers.similar(reference.name)) if reference.is_pinned else ""
        return ImageProblem("E9241", "tag", message, f"{near}{CATALOG}", _newest_of(public, context))
    if reference.tag is None and reference.digest is not None:
        message = f"{reference.repository} is named by digest alone, which the lock does not have"
        hint = "set image.tag beside the digest, and it is judged by its tag"
    else:
        message = f"{reference.name} is not in the catalog"
        hint = "look up aws-neuronx-runtime-lib in it; `neuron-cluster catalog conflicts` has the windows"
    message += ": its Neuron runtime was not compared with the driver of the nodes"
    return ImageProblem("W9244", "repository", message, hint)


def image_problems(
    row: Container, group: NodeGroupPlan, context: ImageContext, *, framework: str | None = None
) -> Iterator[ImageProblem]:
    """E9242 for another chip or framework; else E9243 or W9244 for the driver, and W9216 for the SDK release.

    ``framework`` is the one that the pods use, None where that is not known.
    """
    chip = chip_of(group, context.catalog)
    misplaced = _misplaced(row, framework, chip, context)
    if misplaced is not None:
        instead = _replacement(row, framework, group, context)
        yield ImageProblem("E9242", "tag", misplaced, CATALOG if instead is None else "", instead)
        return
    yield from _clash(row, framework, group, context)
    yield from _age(row, chip, group, context)


def _misplaced(row: Container, framework: str | None, chip: Chip, context: ImageContext) -> str | None:
    if not set(row.families) & set(chip.families):
        return f"{row.name} supports {', '.join(row.families)}, but the nodes have {chip.title}"
    if framework is not None and row.framework != framework:
        return f"{row.name} has {row.framework}, but {framework} is required"
    known = context.catalog.frameworks.get(row.framework)
    if known is not None and known.doubt_about("support") is None and not known.support_on(chip.name, row.neuron_sdk):
        return f"{known.title} of SDK {row.neuron_sdk} never ran on {chip.title}"
    return None


def _clash(
    row: Container, framework: str | None, group: NodeGroupPlan, context: ImageContext
) -> Iterator[ImageProblem]:
    catalog = context.catalog
    sdk, release = catalog.neuron_sdks.get(row.neuron_sdk), _release(group, catalog)
    runtime, driver = sdk.runtime if sdk is not None else None, release.driver if release is not None else None
    if sdk is None or runtime is None or driver is None or release is None:
        return
    conflicts = catalog.driver_conflicts.between(runtime, driver)
    if not conflicts:
        return
    doubt = next(iter(conflicts[0].doubt.values()), None) or sdk.doubt_about("runtime") or release.doubt_about("driver")
    message = (
        f"{row.name} has runtime {runtime}, which works with {catalog.driver_conflicts.window(runtime).description}; "
        f"driver {driver} of {group.name} (AMI release {group.image.release}) is outside: {conflicts[0].symptom}"
    )
    message += f"; in doubt: {doubt}" if doubt else ""
    instead, other = _replacement(row, framework, group, context), _other_release(runtime, group, context)
    hint = other or ("" if instead is not None else "use another front end, or nodes with another AMI release")
    yield ImageProblem("W9244" if doubt else "E9243", "tag", message, hint, instead)


def _age(row: Container, chip: Chip, group: NodeGroupPlan, context: ImageContext) -> Iterator[ImageProblem]:
    framework, own = context.catalog.frameworks.get(row.framework), context.plan.neuron_sdk
    support = framework.support_on(chip.name, row.neuron_sdk) if framework is not None else None
    if framework is not None and support is not None and support.state == "retired":
        message = f"{framework.title} is no longer supported on {chip.title} in SDK {row.neuron_sdk} of the image"
        successor = context.catalog.frameworks.successor_in_words(framework, chip, row.neuron_sdk)
        hint = f"plan the migration to {successor}" if successor else "the catalog has no successor"
        yield ImageProblem("W9216", "tag", message, hint)
    elif row.successor is not None:
        message = f"AWS no longer builds images like {row.name}"
        yield ImageProblem("W9216", "tag", message, _after(row, row.successor, chip, group, context))
    elif row.neuron_sdk != own:
        message = f"{row.name} has SDK {row.neuron_sdk}, but the environment has {own}"
        older = version_key(row.neuron_sdk) < version_key(own)
        hint = "older images run on newer drivers" if older else f"set neuron.sdk: {row.neuron_sdk} where all jobs do"
        yield ImageProblem("W9216", "tag", message, f"{hint}; releases do not share compiled graphs")


def _after(row: Container, name: str, chip: Chip, group: NodeGroupPlan, context: ImageContext) -> str:
    """To move to the successor, or where it does not support the devices, the step until then."""
    successor = context.catalog.containers.get(name)
    if successor is None or set(successor.families) & set(chip.families):
        return f"plan the migration to {name}"
    families = ", ".join(successor.families)
    return (
        f"{name} supports only {families}: {_pin(row, group, context)}, so that drivers of new nodes work with "
        f"{row.name}"
    )


def _pin(row: Container, group: NodeGroupPlan, context: ImageContext) -> str:
    """Which AMI release the group keeps or gets; without a lock and ``ami_release`` the newest one changes."""
    if group.image.release is not None:
        return f"keep AMI release {group.image.release}"
    sdk = context.catalog.neuron_sdks.get(row.neuron_sdk)
    release = _other_release(sdk.runtime, group, context) if sdk is not None and sdk.runtime is not None else ""
    return release or f"set ami_release of {group.name} to the one that its nodes have, or to one that you tested"


def _release(group: NodeGroupPlan, catalog: Catalog) -> AmiRelease | None:
    return catalog.ami_releases.get(group.image.release) if group.image.release is not None else None


def _newest_of(repository: str, context: ImageContext) -> Container | None:
    """The newest image of the repository whose SDK release is not newer than the environment's."""
    rows = (row for row in context.catalog.containers if row.repository == repository)
    return _newest(row for row in rows if version_key(row.neuron_sdk) <= version_key(context.plan.neuron_sdk))


def _replacement(
    row: Container, framework: str | None, group: NodeGroupPlan, context: ImageContext
) -> Container | None:
    """The newest other image with the framework for this chip that works with the driver of the nodes."""
    chip, catalog = chip_of(group, context.catalog), context.catalog
    best = _newest(
        each
        for each in catalog.containers
        if each.framework == (framework or row.framework)
        and set(each.families) & set(chip.families)
        and _works(each, group, catalog)
    )
    return best if best is not None and best.name != row.name else None


def _newest(rows: Iterator[Container]) -> Container | None:
    return max(rows, key=lambda each: (version_key(each.neuron_sdk), version_key(each.framework_version)), default=None)


def _works(row: Container, group: NodeGroupPlan, catalog: Catalog) -> bool:
    sdk, release = catalog.neuron_sdks.get(row.neuron_sdk), _release(group, catalog)
    if release is None or release.driver is None:
        return True
    return (
        sdk is not None
        and sdk.runtime is not None
        and not catalog.driver_conflicts.between(sdk.runtime, release.driver)
    )


def _other_release(runtime: str, group: NodeGroupPlan, context: ImageContext) -> str:
    """An edit of the environment file: the newest AMI release whose driver works with the runtime.

    Empty for AMIs of SageMaker, whose releases the catalog does not have.
    """
    if not group.is_sold_by_ec2:
        return ""
    catalog, cluster = context.catalog, context.plan.kubernetes
    for release in catalog.ami_releases:
        version = release.release_version(cluster.version) if cluster is not None else None
        if version and release.driver and not catalog.driver_conflicts.between(runtime, release.driver):
            return f"set ami_release of {group.name} to {version} (driver {release.driver}) in the environment file"
    return ""

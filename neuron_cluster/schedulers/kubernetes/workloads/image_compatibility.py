"""Findings about the images of a workload: whether nodes can pull them, and whether they work there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from local_kubernetes.model.image_reference import ImageReference, image_reference
from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from local_kubernetes.model.scheduling.pod import PodImage
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.needed_software import private_ecr, registry_of
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import PulledImage
from neuron_cluster.schedulers.kubernetes.workloads.image_windows import ImageProblem, image_problems, unknown_image
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

REPOSITORY = "image.repository"


def chart_image_findings(
    recipe: Recipe, image: PulledImage, group: NodeGroupPlan, context: ImageContext
) -> Iterator[Finding]:
    """Yields E9207 without an image of the chart, E9208 where nodes cannot pull it, and findings on its versions."""
    reference = image.reference
    if reference is None:
        message = f"no public image has front end {image.front_end}"
        dockerfile = recipe.dockerfiles.get(image.front_end)
        source = f" from {dockerfile}" if dockerfile else ""
        hint = f"build one{source} and set it: --set image.repository=REPOSITORY --set image.tag=TAG (or image.digest)"
        yield finding("E9207", recipe.chart, REPOSITORY, message, hint)
        return
    if not is_within_reach(reference, context):
        hint = _way_to_pull(reference, context, f"--set {REPOSITORY}=")
        yield finding("E9208", recipe.chart, REPOSITORY, _out_of_reach(reference, context), hint)
    row = image.container
    framework = recipe.front_ends.get(image.front_end)
    if row is None:
        found = [unknown_image(reference, context)]
    elif recipe.runs_on_cpu_nodes:
        found = []
    else:
        found = list(image_problems(row, group, context, framework=framework))
    for problem in found:
        hint = _hint_for_values(problem, reference, image)
        yield finding(problem.finding_id, recipe.chart, f"image.{problem.part}", problem.message, hint)


def _hint_for_values(problem: ImageProblem, reference: ImageReference, image: PulledImage) -> str:
    instead = problem.instead if problem.finding_id != "E9241" or image.usual is None else image.usual
    if instead is None:
        return problem.hint
    is_other = instead.repository.rpartition("/")[2] != reference.repository.rpartition("/")[2]
    repository = f"--set {REPOSITORY}={instead.repository} " if is_other else ""
    separator = "; " if problem.finding_id == "E9241" else ", or "
    return f"{repository}--set image.tag={instead.tag}" + (f"{separator}{problem.hint}" if problem.hint else "")


class PodImageFinding(Struct, frozen=True):
    """About one image of a pod; the caller knows which file or chart the pod is of."""

    image: PodImage
    finding_id: str
    message: str
    hint: str


def pod_image_findings(
    result: SchedulingResult, context: ImageContext, judged: frozenset[str] = frozenset()
) -> Iterator[PodImageFinding]:
    """Yields findings on the images of the pod that are not in ``judged``.

    Windows are those of the groups that the pod fits on, for containers that request Neuron devices.
    """
    cluster = context.plan.kubernetes
    fitting = {each.group for each in result.fitting}
    groups = [each for each in cluster.node_groups if each.name in fitting] if cluster is not None else []
    neuron_groups = [each for each in groups if each.machine.is_neuron]
    for image in _to_judge(result.pod.images, judged):
        reference = image_reference(image.reference)
        if not is_within_reach(reference, context):
            hint = _way_to_pull(reference, context, "image: ")
            yield PodImageFinding(image, "E9208", _out_of_reach(reference, context), hint)
        for problem in _problems(reference, image, neuron_groups, context):
            ways = (f"use {problem.instead.image}" if problem.instead is not None else "", problem.hint)
            hint = "; ".join(way for way in ways if way)
            yield PodImageFinding(image, problem.finding_id, problem.message, hint)


def _to_judge(images: Iterable[PodImage], judged: frozenset[str]) -> Iterator[PodImage]:
    """Each reference once: of a container with devices, if one has it."""
    by_reference: dict[str, PodImage] = {}
    for image in sorted(images, key=lambda each: not each.uses_neuron):
        by_reference.setdefault(image.reference, image)
    yield from (image for reference, image in by_reference.items() if reference not in judged)


def _problems(
    reference: ImageReference, image: PodImage, groups: list[NodeGroupPlan], context: ImageContext
) -> Iterator[ImageProblem]:
    """Each once, whatever the number of groups that have it. Without devices only an image that does not exist."""
    row = context.row_of(reference)
    if row is None:
        unknown = unknown_image(reference, context)
        if image.uses_neuron or unknown.finding_id == "E9241":
            yield unknown
        return
    found: dict[str, ImageProblem] = {}
    for group in groups if image.uses_neuron else ():
        for problem in image_problems(row, group, context):
            found.setdefault(problem.finding_id, problem)
    yield from found.values()


def is_within_reach(reference: ImageReference, context: ImageContext) -> bool:
    """Without internet access endpoints reach the ECR registries of the Region, of any account, and no others."""
    host = private_ecr(registry_of(reference.repository), context.catalog)
    return context.plan.network.has_internet or (host is not None and host.region == context.plan.region)


def _out_of_reach(reference: ImageReference, context: ImageContext) -> str:
    where = f"{reference.repository} is not in ECR of its Region"
    return f"{context.plan.name} has no route to the internet, and {where}"


def _way_to_pull(reference: ImageReference, context: ImageContext, key: str) -> str:
    """``key`` is how a value or field is written that names the image."""
    plan = context.plan
    way = f"set {plan.kubernetes.key('image_cache')}: true" if plan.kubernetes is not None else "use a NAT gateway"
    cached = plan.pulled_as(reference.repository)
    if cached != reference.repository:
        way = f"pull it through the cache, {key}{cached}"
    return f"{way}; or mirror it to ECR and use {key}…"

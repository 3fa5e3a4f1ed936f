"""Values of a chart for an environment: node group, instance, image, queue and storage; the user's own on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_kubernetes.model.chart_values import merged, value_at
from local_kubernetes.model.names import EFA
from local_kubernetes.model.placement import toleration_for
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.schedulers import schedulers
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.cache_checks import cache_findings, without_general_memory
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import device_allocation_findings
from neuron_cluster.schedulers.kubernetes.workloads.download_source import download_findings
from neuron_cluster.schedulers.kubernetes.workloads.environment_cache import environment_cache
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding, invalid_workload
from neuron_cluster.schedulers.kubernetes.workloads.framework_checks import framework_findings
from neuron_cluster.schedulers.kubernetes.workloads.graph_models import graph_findings
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import (
    chip_of,
    neuron_groups,
    select_group,
    usable_efa_interfaces,
)
from neuron_cluster.schedulers.kubernetes.workloads.image_compatibility import chart_image_findings
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import (
    SelectedImage,
    image_values,
    pulled_image,
    select_image,
)
from neuron_cluster.schedulers.kubernetes.workloads.model_fit import TENSOR, model_findings
from neuron_cluster.schedulers.kubernetes.workloads.namespace_bucket import access_findings, access_values
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace, queue_findings, queue_name
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.s3_checkpoints import s3_checkpoint_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import Evaluation, evaluate
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.partial_devices import SCHEDULER_FLAG
from neuron_cluster.schedulers.kubernetes.workloads.selection import workload_context
from neuron_cluster.schedulers.kubernetes.workloads.server_checks import server_findings, uncounted_devices
from neuron_cluster.schedulers.kubernetes.workloads.storage import storage_findings, storage_values
from neuron_cluster.schedulers.kubernetes.workloads.team_permissions import team_of, team_values
from neuron_cluster.schedulers.kubernetes.workloads.training_checks import training_findings
from neuron_cluster.schedulers.kubernetes.workloads.value_checks import (
    core_findings,
    incomplete_pairs,
    missing_amounts,
    missing_user_keys,
    ultraserver_findings,
)
from neuron_cluster.sizing.model_shape import shape_of_row


class WorkloadValues(Struct, frozen=True):
    """The chosen group and values. ``evaluation`` has the free nodes of every group; findings are warnings."""

    chart: BundledChart
    group: NodeGroupPlan
    values: Mapping[str, Any]
    evaluation: Evaluation
    findings: tuple[Finding, ...]
    schedulers: tuple[str, ...]
    """Names of the schedulers of the cluster."""
    scheduler_flag: str
    """Key of the file that adds the scheduler of Neuron."""
    images: ImageContext

    @property
    def node(self) -> NodeInfo:
        """A node of the chosen group."""
        return self.evaluation.node_of(self.group.name)

    @property
    def image(self) -> str:
        """As the charts write it: by its digest if it has one."""
        repository, tag, digest = (value_at(self.values, f"image.{part}") for part in ("repository", "tag", "digest"))
        return f"{repository}@{digest}" if digest else f"{repository}:{tag}"


def workload_values(
    chart: BundledChart,
    plan: ClusterPlan,
    catalog: Catalog,
    options: WorkloadOptions,
    digests: Mapping[str, str | None],
    *,
    software: Sequence[PodInfo],
) -> WorkloadValues:
    """The values for the environment. ``digests`` are those of the lock, by image; ``software`` are all pods of the
    cluster's software, whose DaemonSets share the nodes with the workload.

    Raises ``InvalidEnvironment`` with every reason why there are none.
    """
    recipe = chart.recipe
    options = with_user_values(options, chart)
    cluster, groups = neuron_groups(plan, recipe)
    group = select_group(plan, cluster, groups, recipe, options, catalog)
    images = ImageContext(plan, catalog, digests)
    image = pulled_image(_selected_image(recipe, group, images, options.front_end), options, images)
    evaluation = _evaluation(plan, cluster, catalog, software)
    context = workload_context(chart, plan, cluster, group, image, evaluation, options, catalog)
    cache = environment_cache(recipe, context, plan, cluster)
    selected = _selected_values(chart, plan, cluster, context, image_values(image, images))
    values = merged(merged(selected, cache), options.given)
    complete = merged(chart.defaults, values)
    findings = [
        *queue_findings(cluster, group, options.queue, recipe),
        *storage_findings(recipe, options, image.front_end, plan, given=frozenset(cache)),
        *chart_image_findings(recipe, image, group, images),
        *device_allocation_findings(cluster, values, chart.defaults, recipe.chart),
        *core_findings(context, values, recipe.chart),
        *ultraserver_findings(context, values, recipe.chart),
        *missing_amounts(context, values, recipe),
        *missing_user_keys(recipe, options, image.front_end),
        *incomplete_pairs(chart, options),
        *download_findings(chart, values, plan),
        *uncounted_devices(cluster, context, complete, recipe),
        *(server_findings(context, values, recipe.chart) if recipe.is_server else ()),
        *framework_findings(plan, context, recipe, catalog),
        *cache_findings(plan, context, complete, recipe),
        *access_findings(recipe, options, image.front_end, plan, complete),
        *(
            s3_checkpoint_findings(plan, complete, options.model, catalog, recipe.chart)
            if recipe.has_checkpoints
            else ()
        ),
        *_of_model(plan, context, complete, recipe, catalog),
    ]
    findings = without_general_memory(findings)
    if has_error(findings):
        raise invalid_workload(*in_reading_order(findings))
    return WorkloadValues(
        chart=chart,
        group=group,
        values=values,
        evaluation=evaluation,
        findings=tuple(in_reading_order(findings)),
        schedulers=schedulers(plan, catalog),
        scheduler_flag=cluster.key(*SCHEDULER_FLAG),
        images=images,
    )


def _selected_image(recipe: Recipe, group: NodeGroupPlan, images: ImageContext, front_end: str | None) -> SelectedImage:
    chip = chip_of(group, images.catalog)
    plan = images.plan
    selected = select_image(
        recipe, chip, plan.neuron_sdk, images.catalog, front_end=front_end, declared=plan.frameworks
    )
    if selected is None:
        raise LookupError(f"{recipe.chart} has no image for {chip.name}, and {group.name} was chosen all the same")
    return selected


def _of_model(
    plan: ClusterPlan, context: WorkloadContext, values: Mapping[str, Any], recipe: Recipe, catalog: Catalog
) -> Iterator[Finding]:
    """Yields findings on the model that the user names by a file, or a server by its name."""
    shape, name = context.options.model, value_at(values, "model.name")
    serves = value_at(values, TENSOR) is not None
    if shape is None and serves and isinstance(name, str) and (row := catalog.models.served_as(name)) is not None:
        shape = shape_of_row(row, catalog)
    if recipe.fills_compile_cache:
        yield from graph_findings(context, values, shape, catalog, recipe.chart)
    elif shape is None:
        return
    elif serves:
        yield from model_findings(context, values, shape, catalog, recipe.chart)
    elif recipe.has_checkpoints:
        yield from training_findings(plan, context, values, shape, catalog, recipe.chart)
    else:
        message = f"{recipe.chart} neither serves nor trains one model"
        yield finding("E9221", recipe.chart, "--model-config", message, "leave --model-config out")


def with_user_values(options: WorkloadOptions, chart: BundledChart) -> WorkloadOptions:
    """Group, queue, nodes and front end in the user's own values take precedence over an option."""
    recipe = chart.recipe
    queue = value_at(options.given, "queue.name")
    return replace(
        options,
        group=options.text("machine.nodeGroup") or options.group,
        queue=queue if isinstance(queue, str) else options.queue,
        nodes=(options.whole_number(recipe.nodes_key) if recipe.nodes_key else None) or options.nodes,
        front_end=(options.text(recipe.front_end_key) if recipe.front_end_key else None) or options.front_end,
    )


def _evaluation(
    plan: ClusterPlan, cluster: KubernetesPlan, catalog: Catalog, software: Sequence[PodInfo]
) -> Evaluation:
    """EFA interfaces count where a device plugin allocates them."""
    evaluation = evaluate(plan, catalog, software)
    usable = {group.name: usable_efa_interfaces(group, cluster) > 0 for group in cluster.node_groups}
    nodes = (node if usable[node.group] else _without_efa(node) for node in evaluation.nodes)
    return replace(evaluation, nodes=tuple(nodes))


def _without_efa(node: NodeInfo) -> NodeInfo:
    return replace(node, allocatable={name: amount for name, amount in node.allocatable.items() if name != EFA})


def _selected_values(
    chart: BundledChart,
    plan: ClusterPlan,
    cluster: KubernetesPlan,
    context: WorkloadContext,
    image: Mapping[str, Any],
) -> dict[str, Any]:
    own = chart.recipe.values(context)
    namespace = context.options.namespace or default_namespace(cluster)
    is_of_team = team_of(cluster, namespace) is not None
    values = {
        **image,
        "queue": {"name": queue_name(cluster, context, chart.recipe, own, is_of_team=is_of_team)},
        "tolerations": [toleration_for(taint).as_manifest() for taint in context.node.taints],
        **storage_values(chart.recipe, context.options, context.front_end, plan, chart.defaults),
        **access_values(chart.recipe, context.options, context.front_end, plan, chart.defaults),
    }
    of_team = team_values(cluster, namespace, context.options, chart.defaults)
    return merged(merged(of_team, values), own)

"""The context of a workload: what was selected of the environment for it."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.network_placement import topology_of
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext, machine_values
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import PLUGIN, device_allocation_mode
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import chip_of, cpu_group, usable_efa_interfaces
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import PulledImage
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import Evaluation

MILLION = 10**6


def _largest_cpu_group(cluster: KubernetesPlan, evaluation: Evaluation) -> NodeGroupPlan | None:
    """The group without Neuron devices and taints whose nodes have the most free memory, the first of equals."""
    groups = [group for group in cluster.node_groups if not group.machine.is_neuron and not group.taints]
    return max(groups, key=lambda group: evaluation.node_of(group.name).memory_gib or 0, default=None)


def _default_nodes(recipe: Recipe, group: NodeGroupPlan, cluster: KubernetesPlan) -> int:
    """Returns the number of nodes of the chart, at most that of the group, and 1 without EFA between them."""
    maximum = group.scaling.maximum if usable_efa_interfaces(group, cluster) else 1
    wanted = recipe.default_nodes if maximum is None else min(recipe.default_nodes, maximum)
    return max(wanted, 1)


def _drill_schedule(plan: ClusterPlan) -> str:
    checkpoints = plan.storage.checkpoints if plan.storage is not None else None
    return (checkpoints.drill if checkpoints is not None else None) or ""


def _expected_failures(nodes: int, catalog: Catalog) -> int:
    hours = catalog.limits["training_run"].require_maximum()
    return ceil(nodes * hours * catalog.limits["instance_failures"].require_maximum() / MILLION)


def workload_context(
    chart: BundledChart,
    plan: ClusterPlan,
    cluster: KubernetesPlan,
    group: NodeGroupPlan,
    image: PulledImage,
    evaluation: Evaluation,
    options: WorkloadOptions,
    catalog: Catalog,
) -> WorkloadContext:
    """The context of the selected group and image."""
    processors = cpu_group(cluster, options.group) or cpu_group(cluster, None)
    if chart.recipe.fills_compile_cache:
        processors = _largest_cpu_group(cluster, evaluation) or processors
    row = catalog.instance_types.get(group.machine.instance_type)
    cores_at: Mapping[int, int | None] = (row.logical_nc_configs if row is not None else None) or {}
    nodes = options.nodes or _default_nodes(chart.recipe, group, cluster)
    topology = topology_of(group, catalog)
    sdk = catalog.neuron_sdks.get(image.container.neuron_sdk) if image.container is not None else None
    return WorkloadContext(
        region=plan.region,
        network=plan.network,
        group=group,
        node=evaluation.node_of(group.name),
        chip=chip_of(group, catalog),
        ultraserver_sizes=row.ultraserver.sizes if row is not None and row.ultraserver is not None else (),
        cores_at=cores_at,
        nodes=nodes,
        front_end=image.front_end,
        compiler=sdk.compiler if sdk is not None else None,
        cpu_group=processors,
        cpu_node=evaluation.node_of(processors.name) if processors is not None else None,
        defaults=chart.defaults,
        options=options,
        network_layer=topology.labels[-1] if topology is not None else "",
        drill_schedule=_drill_schedule(plan),
        expected_failures=_expected_failures(nodes, catalog),
        compile_memory_gib=catalog.limits["compile_memory"].require_minimum(),
        minimum_bus_bandwidth=catalog.minimum_bus_bandwidths.get(group.machine.instance_type),
        machine=machine_values(
            group,
            evaluation.node_of(group.name),
            options,
            chart.defaults,
            nodes=nodes,
            mode=device_allocation_mode(cluster) or PLUGIN,
            cores_at=cores_at,
        ),
    )

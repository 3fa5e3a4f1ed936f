"""Values of a chart for an environment: group, ``machine``, image, queue and places; the user's own on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.chart_values import merged, value_at
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.kubernetes.names import EFA
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan, NodeGroupPlan
from neuron_cluster.schedule.node_shape import node_shapes
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.room import after_daemons
from neuron_cluster.schedule.schedulers import schedulers
from neuron_cluster.workloads.bundled_chart import BundledChart
from neuron_cluster.workloads.chip_of_group import chip_of
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.core_count import core_findings
from neuron_cluster.workloads.device_way import PLUGIN, device_way, way_findings
from neuron_cluster.workloads.group_choice import chosen_group, neuron_groups, usable_efa
from neuron_cluster.workloads.image_choice import ImageChoice, image_choice, image_values
from neuron_cluster.workloads.image_findings import image_findings
from neuron_cluster.workloads.image_window import window_findings
from neuron_cluster.workloads.machine_values import machine_values, tolerations_of
from neuron_cluster.workloads.node_room import NodeRoom
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.queue_choice import queue_findings, queue_name
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.refusal import finding, refused
from neuron_cluster.workloads.storage_values import storage_findings, storage_values
from neuron_cluster.workloads.ultraserver_places import place_findings


class ChosenValues(Struct, frozen=True):
    """What was chosen. ``rooms`` are the nodes of every group, in the order of the file; findings are warnings."""

    chart: BundledChart
    group: NodeGroupPlan
    values: Mapping[str, Any]
    rooms: tuple[NodeRoom, ...]
    findings: tuple[Finding, ...]
    schedulers: tuple[str, ...]
    """Those of the cluster."""

    @property
    def room(self) -> NodeRoom:
        """A node of the chosen group."""
        return next(room for room in self.rooms if room.node.group == self.group.name)


def chosen_values(
    chart: BundledChart,
    plan: ClusterPlan,
    catalog: Catalog,
    wish: WorkloadOptions,
    digests: Mapping[str, str | None],
    *,
    software: Sequence[PodShape],
) -> ChosenValues:
    """The values for the environment. ``digests`` are those of the lock, by image; ``software`` are all pods of the
    cluster's software, whose DaemonSets share the nodes with the workload.

    Raises ``InvalidEnvironment`` with every reason why there are none.
    """
    recipe = chart.recipe
    wish = with_own_values(wish, chart)
    eks, groups = neuron_groups(plan, recipe)
    group = chosen_group(plan, eks, groups, recipe, wish, catalog)
    chip = chip_of(group, catalog)
    image = image_choice(recipe, chip, plan.neuron_sdk, catalog, front_end=wish.front_end)
    if image is None:
        raise LookupError(f"{recipe.chart} has no image for {chip.name}, and {group.name} was chosen all the same")
    rooms = _rooms(plan, eks, catalog, software)
    site = _site(chart, plan, eks, group, image, rooms, wish, catalog)
    values = merged(_ours(chart, plan, eks, site, image, digests), wish.given)
    findings = [
        *queue_findings(eks, group, wish.queue, recipe),
        *storage_findings(recipe, wish, image.front_end, plan),
        *image_findings(recipe, image, chip, plan, catalog, wish),
        *window_findings(recipe, image, chip, eks, group, catalog, wish),
        *way_findings(eks, values, chart.defaults, recipe.chart),
        *core_findings(site, values, recipe.chart),
        *place_findings(site, values, recipe.chart),
        *_unknown_amounts(site, values, recipe.chart),
        *_unsaid(recipe, wish, image.front_end),
        *_half_said(chart, wish),
    ]
    if has_error(findings):
        raise refused(*in_reading_order(findings))
    return ChosenValues(chart, group, values, rooms, tuple(in_reading_order(findings)), schedulers(plan, catalog))


def with_own_values(wish: WorkloadOptions, chart: BundledChart) -> WorkloadOptions:
    """What the user's own values say about group, queue, nodes and front end counts, and wins over an option."""
    recipe = chart.recipe
    queue = value_at(wish.given, "queue.name")
    return replace(
        wish,
        group=wish.text("machine.nodeGroup") or wish.group,
        queue=queue if isinstance(queue, str) else wish.queue,
        nodes=(wish.whole_number(recipe.nodes_key) if recipe.nodes_key else None) or wish.nodes,
        front_end=(wish.text(recipe.front_end_key) if recipe.front_end_key else None) or wish.front_end,
    )


def _rooms(plan: ClusterPlan, eks: EksPlan, catalog: Catalog, software: Sequence[PodShape]) -> tuple[NodeRoom, ...]:
    """EFA interfaces count where the device plugin hands them out."""
    nodes = []
    for shape, group in zip(node_shapes(plan, catalog), eks.node_groups, strict=True):
        efa = usable_efa(group, eks)
        offered = {name: amount for name, amount in shape.allocatable.items() if name != EFA or efa}
        nodes.append(replace(shape, allocatable=offered))
    return tuple(NodeRoom(node) for node in after_daemons(nodes, software))


def _site(
    chart: BundledChart,
    plan: ClusterPlan,
    eks: EksPlan,
    group: NodeGroupPlan,
    image: ImageChoice,
    rooms: tuple[NodeRoom, ...],
    wish: WorkloadOptions,
    catalog: Catalog,
) -> WorkloadContext:
    room_of = {room.node.group: room for room in rooms}
    side = next((each for each in eks.node_groups if not each.machine.is_neuron and not each.taints), None)
    most = group.max if usable_efa(group, eks) else 1
    row = catalog.instance_type(group.machine.instance_type)
    cores_at: Mapping[int, int | None] = (row.logical_nc_configs if row is not None else None) or {}
    nodes = wish.nodes or max(min(chart.recipe.usual_nodes, most), 1)
    sdk = catalog.neuron_sdk(image.container.neuron_sdk) if image.container is not None else None
    return WorkloadContext(
        region=plan.region,
        network=plan.network,
        group=group,
        room=room_of[group.name],
        chip=chip_of(group, catalog),
        ultraserver_sizes=row.ultraserver.sizes if row is not None and row.ultraserver is not None else (),
        cores_at=cores_at,
        nodes=nodes,
        front_end=image.front_end,
        compiler=sdk.compiler if sdk is not None else None,
        side_group=side,
        side_room=room_of[side.name] if side is not None else None,
        defaults=chart.defaults,
        wish=wish,
        floor=catalog.minimum_bus_bandwidth(group.machine.instance_type),
        machine=machine_values(
            group,
            room_of[group.name],
            wish,
            chart.defaults,
            nodes=nodes,
            way=device_way(eks) or PLUGIN,
            cores_at=cores_at,
        ),
    )


def _ours(
    chart: BundledChart,
    plan: ClusterPlan,
    eks: EksPlan,
    site: WorkloadContext,
    image: ImageChoice,
    digests: Mapping[str, str | None],
) -> dict[str, Any]:
    taken = {"image": image_values(image.container, digests, eks.image_cache)} if image.container is not None else {}
    values = {
        **taken,
        "queue": {"name": queue_name(eks, site.group, site.wish.queue)},
        "tolerations": tolerations_of(site.group.taints),
        **storage_values(chart.recipe, site.wish, site.front_end, plan, chart.defaults),
    }
    return merged(values, chart.recipe.values(site))


def _unsaid(recipe: Recipe, wish: WorkloadOptions, front_end: str) -> Iterator[Finding]:
    key = recipe.own_key_of.get(front_end)
    if key is not None and not wish.says(key):
        message = f"front end {front_end} wants {key} of your own, and the values name none"
        hint = f"give them by --values FILE, as in charts/{recipe.chart}/examples"
        yield finding("E9212", recipe.chart, key, message, hint)


def _half_said(chart: BundledChart, wish: WorkloadOptions) -> Iterator[Finding]:
    for first, second in chart.recipe.go_together:
        given, default = value_at(wish.given, first), value_at(chart.defaults, second)
        is_other = given is not None and given != value_at(chart.defaults, first)
        if is_other and not wish.says(second) and value_at(wish.given, "weights.source") != "s3":
            message = f"{first} is {given}, and {second} is still the chart's default, {default}"
            hint = f"name the folder too: --set {second}=FOLDER; an empty one ({second}=) is the root of the claim"
            yield finding("W9245", chart.name, second, message, hint)


def _unknown_amounts(site: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """What nobody knows of the machine must be said by the user."""
    if value_at(values, "machine.nodeGroup") != site.group.name:
        return
    machine, name = site.machine, site.group.machine.instance_type
    unknown = {
        "neuronDevices": not machine["neuronDevices"],
        "neuronCores": not machine["neuronCores"],
        "cpu": "cpu" not in site.room.node.allocatable,
        "memoryGib": "memory" not in site.room.node.allocatable,
    }
    for key, is_unknown in unknown.items():
        if is_unknown and not site.wish.says(f"machine.{key}"):
            message = f"the catalog does not know what a node of {name} has for this"
            is_text = isinstance(value_at(site.defaults, f"machine.{key}"), str)
            setting = f"""--set 'machine.{key}="N"'""" if is_text else f"--set machine.{key}=N"
            yield finding("E9210", chart, f"machine.{key}", message, f"give it yourself: {setting}")

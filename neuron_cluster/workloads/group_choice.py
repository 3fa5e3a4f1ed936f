"""Which node group a workload runs on: the one that fits, or the one that is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan, NodeGroupPlan
from neuron_cluster.workloads.chip_of_group import chip_of
from neuron_cluster.workloads.device_way import device_way
from neuron_cluster.workloads.image_choice import front_ends_on, image_choice
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.refusal import finding, refused
from neuron_cluster.workloads.software_there import has_software


def neuron_groups(plan: ClusterPlan, recipe: Recipe) -> tuple[EksPlan, Sequence[NodeGroupPlan]]:
    """The cluster and its Neuron groups. Raises ``InvalidEnvironment`` where there are none that pods can use."""
    eks = plan.eks
    groups = [group for group in eks.node_groups if group.machine.is_neuron] if eks is not None else []
    if eks is None or not groups:
        message = f"{plan.name} has no {'EKS cluster' if eks is None else 'node group with Neuron devices'}"
        hint = "add a node group with a Neuron instance type to eks.node_groups, or name another environment"
        raise refused(finding("E9202", recipe.chart, "--group", message, hint))
    if device_way(eks) is None:
        raise refused(_no_devices(eks, plan, recipe))
    return eks, groups


def chosen_group(
    plan: ClusterPlan,
    eks: EksPlan,
    groups: Sequence[NodeGroupPlan],
    recipe: Recipe,
    wish: WorkloadOptions,
    catalog: Catalog,
) -> NodeGroupPlan:
    """The named group, else the only one that fits. Raises ``InvalidEnvironment`` with why not, or the ones to name."""
    if wish.group is not None:
        groups = [_named(wish.group, eks, groups, recipe)]
    refusals: Mapping[str, list[Finding]] = {
        group.name: list(against(group, plan, eks, recipe, wish, catalog)) for group in groups
    }
    fitting = [group for group in groups if not refusals[group.name]]
    if not fitting:
        raise refused(*(each for found in refusals.values() for each in found))
    if len(fitting) > 1:
        raise refused(_several(fitting, plan, recipe))
    return fitting[0]


def against(
    group: NodeGroupPlan, plan: ClusterPlan, eks: EksPlan, recipe: Recipe, wish: WorkloadOptions, catalog: Catalog
) -> list[Finding]:
    """Why the workload cannot run on the group, without looking at amounts; empty when it can."""
    found = []
    chip = chip_of(group, catalog)
    sdk, front_end = plan.neuron_sdk, wish.front_end
    if front_end is not None and front_end not in recipe.front_ends:
        known = ", ".join(recipe.front_ends)
        return [
            finding("E9207", recipe.chart, "--front-end", f'there is no front end "{front_end}"', f"known: {known}")
        ]
    if image_choice(recipe, chip, sdk, catalog, front_end=front_end) is None:
        others = front_ends_on(recipe, chip, sdk, catalog)
        what = f"front end {front_end}" if front_end else f"{recipe.chart} has no front end that"
        message = f"{what} does not run on {group.name}" if front_end else f"{what} runs on {group.name}"
        none = (
            "no supported framework has an image for this chip: name another group by --group, or another environment"
        )
        hint = f"on it run: {', '.join(others)}" if others else none
        found.append(
            finding(
                "E9207",
                recipe.chart,
                "--front-end",
                f"{message} ({group.machine.instance_type}, {chip.title}, SDK {sdk})",
                hint,
            )
        )
    return [*found, *_against_nodes(group, eks, recipe, wish)]


def _against_nodes(group: NodeGroupPlan, eks: EksPlan, recipe: Recipe, wish: WorkloadOptions) -> list[Finding]:
    nodes = wish.nodes
    if nodes is None or nodes == 1:
        return []
    path = recipe.nodes_key or "--nodes"
    if recipe.nodes_key is None:
        return [finding("E9205", recipe.chart, "--nodes", f"{recipe.chart} runs on one node", "leave --nodes out")]
    found = []
    if nodes > group.max:
        message = f"{nodes} nodes are asked for, and {group.name} has {group.max} at most"
        hint = f"ask for {group.max}, or raise count.max of {group.name} to {nodes}"
        found.append(finding("E9205", recipe.chart, path, message, hint))
    if not usable_efa(group, eks):
        message = f"{nodes} nodes are asked for, and nodes of {group.name} cannot talk to each other over EFA"
        hint = "set eks.addons.efa_device_plugin: true, or eks.installed_otherwise: [efa_device_plugin] if it is there"
        if not group.machine.efa_interfaces:
            hint = "use one node: the group has no EFA interfaces (its `efa` is off, or the type has none)"
        found.append(finding("E9205", recipe.chart, path, message, hint))
    return found


def usable_efa(group: NodeGroupPlan, eks: EksPlan) -> int:
    """EFA interfaces that pods can ask for: the group's, where the device plugin hands them out."""
    return group.machine.efa_interfaces if has_software(eks, "efa_device_plugin") else 0


def _named(name: str, eks: EksPlan, groups: Sequence[NodeGroupPlan], recipe: Recipe) -> NodeGroupPlan:
    found = next((group for group in groups if group.name == name), None)
    if found is not None:
        return found
    names = [group.name for group in groups]
    listed = f"Neuron groups: {', '.join(names)}"
    if any(group.name == name for group in eks.node_groups):
        raise refused(finding("E9202", recipe.chart, "--group", f"node group {name} has no Neuron devices", listed))
    said = did_you_mean(suggestions(name, names))
    raise refused(finding("E9202", recipe.chart, "--group", f'there is no node group "{name}"', said + listed))


def _several(fitting: Sequence[NodeGroupPlan], plan: ClusterPlan, recipe: Recipe) -> Finding:
    listed = "; ".join(f"{g.name} ({g.machine.instance_type}, up to {g.max} nodes)" for g in fitting)
    message = f"{plan.name} has several node groups that {recipe.chart} can run on: {listed}"
    return finding("E9203", recipe.chart, "--group", message, f"name one: --group {fitting[0].name}")


def _no_devices(eks: EksPlan, plan: ClusterPlan, recipe: Recipe) -> Finding:
    message = f"nothing hands out Neuron devices in {plan.name} ({eks.device_management.reason}): its pods would wait"
    hint = "set eks.addons.neuron_device_plugin: true, or neuron_dra_driver: true, and deploy"
    return finding("E9204", recipe.chart, "eks.addons.neuron_device_plugin", message, hint)

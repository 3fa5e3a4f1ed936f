"""Which node group a workload runs on: the one that fits, or the one that is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import device_allocation_mode
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding, invalid_workload
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import front_ends_on, select_image
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import is_installed
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

EFA_PLUGIN = "efa_device_plugin"


def neuron_groups(plan: ClusterPlan, recipe: Recipe) -> tuple[KubernetesPlan, Sequence[NodeGroupPlan]]:
    """The cluster and its Neuron groups. Raises ``InvalidEnvironment`` where there are none that pods can use."""
    cluster = plan.kubernetes
    groups = [group for group in cluster.node_groups if group.machine.is_neuron] if cluster is not None else []
    if cluster is None or not groups:
        message = f"{plan.name} has no {'Kubernetes cluster' if cluster is None else 'node group with Neuron devices'}"
        hint = "name another environment"
        if cluster is not None:
            hint = f"add a node group with a Neuron instance type to {cluster.key('node_groups')}, or {hint}"
        raise invalid_workload(finding("E9202", recipe.chart, "--group", message, hint))
    if not recipe.runs_on_cpu_nodes and device_allocation_mode(cluster) is None:
        raise invalid_workload(_no_devices(cluster, plan, recipe))
    return cluster, groups


def select_group(
    plan: ClusterPlan,
    cluster: KubernetesPlan,
    groups: Sequence[NodeGroupPlan],
    recipe: Recipe,
    options: WorkloadOptions,
    catalog: Catalog,
) -> NodeGroupPlan:
    """The named group, else the only one that fits. Raises ``InvalidEnvironment`` with why not, or the ones to name.

    A workload without devices may name a CPU group; the image is then that of any Neuron group.
    """
    if options.group is not None and (not recipe.runs_on_cpu_nodes or cpu_group(cluster, options.group) is None):
        groups = [_named(options.group, cluster, groups, recipe)]
    findings_of: Mapping[str, list[Finding]] = {
        group.name: list(group_findings(group, plan, cluster, recipe, options, catalog)) for group in groups
    }
    fitting = [group for group in groups if not findings_of[group.name]]
    if not fitting:
        raise invalid_workload(*(each for found in findings_of.values() for each in found))
    if len(fitting) > 1 and not recipe.runs_on_cpu_nodes:
        raise invalid_workload(_several(fitting, plan, recipe))
    return fitting[0]


def cpu_group(cluster: KubernetesPlan, name: str | None) -> NodeGroupPlan | None:
    """The group without Neuron devices of this name, else that of the plan; None where there is none."""
    if name is None:
        return cluster.processor_group
    return next((group for group in cluster.node_groups if group.name == name and not group.machine.is_neuron), None)


def group_findings(
    group: NodeGroupPlan,
    plan: ClusterPlan,
    cluster: KubernetesPlan,
    recipe: Recipe,
    options: WorkloadOptions,
    catalog: Catalog,
) -> list[Finding]:
    """Why the workload cannot run on the group, before amounts are compared; empty where it can."""
    found = []
    chip = chip_of(group, catalog)
    sdk, front_end = plan.neuron_sdk, options.front_end
    if front_end is not None and front_end not in recipe.front_ends:
        known = ", ".join(recipe.front_ends)
        return [
            finding("E9207", recipe.chart, "--front-end", f'there is no front end "{front_end}"', f"known: {known}")
        ]
    if select_image(recipe, chip, sdk, catalog, front_end=front_end) is None:
        others = front_ends_on(recipe, chip, sdk, catalog)
        what = f"front end {front_end}" if front_end else f"{recipe.chart} has no front end that"
        message = f"{what} does not run on {group.name}" if front_end else f"{what} runs on {group.name}"
        none = (
            f"no front end of {recipe.chart} has an image for {chip.title}: set another --group, or use another "
            f"environment; `neuron-cluster workload list {plan.name}` lists the charts that run on {group.name}"
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
    return [*found, *_against_nodes(group, cluster, recipe, options)]


def _against_nodes(
    group: NodeGroupPlan, cluster: KubernetesPlan, recipe: Recipe, options: WorkloadOptions
) -> list[Finding]:
    nodes = options.nodes
    if nodes is None or nodes == 1:
        return []
    path = recipe.nodes_key or "--nodes"
    if recipe.nodes_key is None:
        return [finding("E9205", recipe.chart, "--nodes", f"{recipe.chart} runs on one node", "remove --nodes")]
    found = []
    if not group.allows(nodes):
        message = f"{nodes} nodes are requested, but {group.name} has at most {group.max}"
        hint = f"request {group.max}, or raise count.max of {group.name} to {nodes}"
        found.append(finding("E9205", recipe.chart, path, message, hint))
    if not usable_efa_interfaces(group, cluster):
        message = f"{nodes} nodes are requested, but nodes of {group.name} are not connected by EFA"
        hint = (
            f"set {cluster.key('addons', EFA_PLUGIN)}: true, or {cluster.key('installed_otherwise')}: [{EFA_PLUGIN}] "
            "for one of yours"
        )
        if not group.machine.efa_interfaces:
            hint = "use one node: the group has no EFA interfaces (its `efa` is off, or the type has none)"
        found.append(finding("E9205", recipe.chart, path, message, hint))
    return found


def usable_efa_interfaces(group: NodeGroupPlan, cluster: KubernetesPlan) -> int:
    """EFA interfaces that pods can request: those of the group, where a device plugin allocates them."""
    return group.machine.efa_interfaces if is_installed(cluster, EFA_PLUGIN) else 0


def _named(name: str, cluster: KubernetesPlan, groups: Sequence[NodeGroupPlan], recipe: Recipe) -> NodeGroupPlan:
    found = next((group for group in groups if group.name == name), None)
    if found is not None:
        return found
    names = [group.name for group in groups]
    listed = f"Neuron groups: {', '.join(names)}"
    if any(group.name == name for group in cluster.node_groups):
        raise invalid_workload(
            finding("E9202", recipe.chart, "--group", f"node group {name} has no Neuron devices", listed)
        )
    suggested = did_you_mean_one_of(name, names)
    raise invalid_workload(
        finding("E9202", recipe.chart, "--group", f'there is no node group "{name}"', suggested + listed)
    )


def _several(fitting: Sequence[NodeGroupPlan], plan: ClusterPlan, recipe: Recipe) -> Finding:
    listed = "; ".join(f"{g.name} ({g.machine.instance_type}, {g.scaling.bound} nodes)" for g in fitting)
    message = f"{plan.name} has several node groups that {recipe.chart} can run on: {listed}"
    return finding("E9203", recipe.chart, "--group", message, f"name one: --group {fitting[0].name}")


def _no_devices(cluster: KubernetesPlan, plan: ClusterPlan, recipe: Recipe) -> Finding:
    message = (
        f"no component allocates Neuron devices in {plan.name} ({cluster.device_management.reason}): pods remain "
        "Pending"
    )
    flag = cluster.key("addons", "neuron_device_plugin")
    hint = f"set {flag}: true, or neuron_dra_driver: true, and deploy"
    return finding("E9204", recipe.chart, flag, message, hint)


def chip_of(group: NodeGroupPlan, catalog: Catalog) -> Chip:
    """Raises ``LookupError`` for a group without Neuron devices: rules and choice see to it that there is none."""
    row = catalog.instance_types.get(group.machine.instance_type)
    chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
    if chip is None:
        raise LookupError(f"{group.machine.instance_type} has no Neuron chip")
    return chip

"""Checks of the framework that a workload runs, against those of the file and the purpose of the Neuron chip."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.front_ends import front_ends_of
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

FRONT_END = "--front-end"


def framework_findings(
    plan: ClusterPlan, context: WorkloadContext, recipe: Recipe, catalog: Catalog
) -> Iterator[Finding]:
    """W9283 and W9284."""
    if recipe.purpose is not None and context.options.front_end is None:
        yield from _undeclared(plan, context, recipe, catalog)
    if recipe.purpose == "training" and not context.chip.trains:
        message = f"{context.chip.title} is made for inference, not for training"
        others = [name for name, chip in _neuron_groups(plan, catalog) if chip != context.chip.name]
        other = f"set --group {others[0]}, or " if others else ""
        types = "`neuron-cluster recommend --task train --parameters 8B` lists instance types"
        hint = f"{other}use an environment with a Neuron chip for training: {types}"
        yield finding("W9284", recipe.chart, "--group", message, hint)


def _undeclared(plan: ClusterPlan, context: WorkloadContext, recipe: Recipe, catalog: Catalog) -> Iterator[Finding]:
    """Where no framework of the file for this purpose, which runs on the chip, has the selected front end."""
    chip, sdk = context.chip.name, plan.neuron_sdk
    rows = [row for name in plan.frameworks if (row := catalog.frameworks.get(name)) is not None]
    declared = [row for row in rows if recipe.purpose in row.purposes and row.runs_on(chip, sdk)]
    used = recipe.front_ends[context.front_end]
    if not declared or any(row.is_in_image_of(used) for row in declared):
        return
    names = [row.name for row in declared]
    ways = front_ends_of(names, recipe.front_ends, catalog)
    lacks = "no public image" if ways else f"no front end of {recipe.chart}"
    message = f"neuron.frameworks has {listed(names)}, for which there is {lacks}: the workload runs {used}"
    own = f"set {FRONT_END} {ways[0]} with an image of your own (--set image.repository=), or " if ways else ""
    hint = f"{own}set {FRONT_END} {context.front_end} to run {used}, or add {used} to neuron.frameworks"
    yield finding("W9283", recipe.chart, FRONT_END, message, hint)


def _neuron_groups(plan: ClusterPlan, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Names of the node groups with chips that train, and the chip."""
    for group in plan.node_groups:
        row = catalog.instance_types.get(group.machine.instance_type)
        chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
        if chip is not None and chip.trains:
            yield group.name, chip.name

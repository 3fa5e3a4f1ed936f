"""Checks of the values of a chart, before it is rendered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import every_value
from local_kubernetes.model.names import ULTRASERVER_LABEL
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import DRA, KEY
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

CORES, DEVICES, LNC = "machine.neuronCores", "machine.neuronDevices", "machine.logicalNcConfig"
SIZE = "ultraServer.size"
PREFERRED = "preferredDuringScheduling"


def core_findings(context: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """E9223 for an LNC that the type does not have, or cores that the Neuron devices do not have at the LNC."""
    if value_at(values, "machine.nodeGroup") != context.group.name:
        return
    name, known = context.group.machine.instance_type, context.cores_at
    devices, cores, given = (value_at(values, key) for key in (DEVICES, CORES, LNC))
    if not all(isinstance(each, int) for each in (devices, cores, given)):
        return  # the schema of the chart reports it
    lnc = given or context.group.machine.logical_nc_config
    if given and known and given not in known:
        supported = " or ".join(map(str, sorted(known)))
        yield finding("E9223", chart, LNC, f"{name} has no LNC {given}", f"write {supported}, or leave it out")
        return
    cores_of_node, devices_of_node = known.get(lnc or 0), context.node.neuron_devices
    if cores_of_node is None or not devices_of_node or (devices * cores_of_node) == cores * devices_of_node:
        return
    right = devices * cores_of_node // devices_of_node
    has = f"{devices} Neuron {'device' if devices == 1 else 'devices'} of {name} {'has' if devices == 1 else 'have'}"
    message = f"{cores} logical NeuronCores requested, but {has} {right} at LNC {lnc}"
    yield finding(
        "E9223", chart, CORES, message, f"write {right}, or leave it out: it follows from {DEVICES} and {LNC}"
    )


def ultraserver_findings(context: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """E9224 for a number of nodes that no UltraServer of the instance type connects."""
    size = value_at(values, SIZE)
    sizes = [each for each in context.ultraserver_sizes if each > 1]
    if not isinstance(size, int) or not size or size in sizes:
        return
    name = context.group.machine.instance_type
    if sizes:
        message = f"an UltraServer of {name} cannot have {size} nodes"
        yield finding("E9224", chart, SIZE, message, f"write {' or '.join(map(str, sizes))}, or 0 for none")
    else:
        message = f"{size} nodes that share an UltraServer are requested, and {name} is not part of one"
        yield finding("E9224", chart, SIZE, message, "leave it out, or name a group of another type")


def ultraserver_label_findings(
    values: Mapping[str, Any], objects: Iterable[Mapping[str, Any]], chart: str
) -> Iterator[Finding]:
    """W9225 where pods require nodes with labels of UltraServers, and no device plugin sets these.

    AWS's sample for the DRA driver selects such a label (aws-neuron/aws-neuron-sdk:deploy/eks/dra.rst), and no source
    names what sets it.
    """
    if value_at(values, KEY) != DRA:
        return
    every = (value for body in objects for path, value in every_value(body) if PREFERRED not in path)
    labels = {value for value in every if isinstance(value, str) and value.startswith(ULTRASERVER_LABEL)}
    for label in sorted(labels):
        message = f"its pods select nodes by the label {label}, which the DRA driver is not documented to set"
        check = f"check `kubectl get nodes -L {label}` before you rely on it: without the label the job stays Pending"
        hint = f"{check}; {SIZE}=0 requests none"
        yield finding("W9225", chart, label, message, hint)


def missing_amounts(context: WorkloadContext, values: Mapping[str, Any], recipe: Recipe) -> Iterator[Finding]:
    """E9210 for each amount of the instance that the chart requests, and neither the catalog nor the user gives."""
    if value_at(values, "machine.nodeGroup") != context.group.name or not recipe.uses_devices:
        return
    machine, name = context.machine, context.group.machine.instance_type
    unknown = {
        "neuronDevices": not machine["neuronDevices"],
        "neuronCores": not machine["neuronCores"],
        "cpu": "cpu" not in context.node.allocatable,
        "memoryGib": "memory" not in context.node.allocatable,
    }
    for key, is_unknown in unknown.items():
        if is_unknown and not context.options.sets(f"machine.{key}"):
            message = f"the catalog does not have this amount for a node of {name}"
            is_text = isinstance(value_at(context.defaults, f"machine.{key}"), str)
            setting = f"""--set 'machine.{key}="N"'""" if is_text else f"--set machine.{key}=N"
            yield finding("E9210", recipe.chart, f"machine.{key}", message, f"set it: {setting}")


def missing_user_keys(recipe: Recipe, options: WorkloadOptions, front_end: str) -> Iterator[Finding]:
    """E9212 where a front end needs a value that only the user can give."""
    key = recipe.user_key_of.get(front_end)
    if key is not None and not options.sets(key):
        message = f"front end {front_end} requires {key}, and the values do not set it"
        hint = f"set it by --values FILE, as in charts/{recipe.chart}/examples"
        yield finding("E9212", recipe.chart, key, message, hint)


def incomplete_pairs(chart: BundledChart, options: WorkloadOptions) -> Iterator[Finding]:
    """W9245 where one of two values that belong together is still the default."""
    for first, second in chart.recipe.keys_given_together:
        given, default = value_at(options.given, first), value_at(chart.defaults, second)
        is_other = given is not None and given != value_at(chart.defaults, first)
        if is_other and not options.sets(second) and value_at(options.given, "weights.source") != "s3":
            message = f"{first} is {given}, and {second} is still the chart's default, {default}"
            hint = f"set the folder too: --set {second}=FOLDER; an empty one ({second}=) is the root of the claim"
            yield finding("W9245", chart.name, second, message, hint)

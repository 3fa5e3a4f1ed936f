"""Whether a model can be divided as a server divides it, and fits the memory of its Neuron cores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.sizing.device_memory import CAP_VARIABLE, VLLM, Names, ServedModel, device_shortfall
from neuron_cluster.sizing.divisions import ExpertGroups, one_group
from neuron_cluster.sizing.host_memory import HostMemory, host_of_type, host_with_share
from neuron_cluster.sizing.host_problem import host_problem
from neuron_cluster.sizing.model_division import EXPERT_PARALLEL, division_problems, groups_of_vllm
from neuron_cluster.sizing.model_shape import ModelShape

GIB = 2**30
TENSOR, LENGTH, REQUESTS = "model.tensorParallelSize", "model.maxModelLen", "model.maxNumSeqs"
DEVICES, MEMORY = "machine.neuronDevices", "machine.memoryGib"
TORCHSERVE = "torchserve"


def model_findings(
    context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape, catalog: Catalog, chart: str
) -> Iterator[Finding]:
    """E9261 for device memory, E9262 for sizes that cores do not divide, E9297 and W9298 for the memory of the host;
    W9263 for what is in doubt, or where only the name of the model is known.

    ``values`` are complete. The schema of the chart reports those that are not numbers. Models of TorchServe are of
    another kind.
    """
    served, engine = _served(context, values, shape), str(value_at(values, "engine"))
    if served is None or engine == TORCHSERVE:
        return
    groups = _expert_groups(values, engine)
    for each in division_problems(
        shape, engine, catalog, tensor=served.tensor, cores=served.cores, expert_groups=groups
    ):
        yield _about(each.id, each.message, each.hint(f"set {TENSOR} to"), values, shape, chart)
    if (found := device_shortfall(served, engine, catalog)) is not None:
        yield _about("E9261", *found, values, shape, chart)
    yield from host_findings(context, values, shape, catalog, chart)


def _expert_groups(values: Mapping[str, Any], engine: str) -> ExpertGroups:
    if engine != VLLM:
        degree = value_at(values, "model.additionalConfig.override_neuron_config.moe_ep_degree")
        return groups_of_vllm([EXPERT_PARALLEL], degree=degree) if degree else one_group
    degree = value_at(values, "model.additionalConfig.neuron_config.ep_degree")
    return groups_of_vllm(_extra_arguments(values), value_at(values, "model.dataParallelSize"), degree)


def _about(
    finding_id: str, message: str, hint: str, values: Mapping[str, Any], shape: ModelShape, chart: str
) -> Finding:
    if shape.is_certain:
        return finding(finding_id, chart, TENSOR, message, hint)
    doubt = f"{message} (if {value_at(values, 'model.name')} is {shape.name} in BF16)"
    return finding("W9263", chart, TENSOR, doubt, f"{hint}; --model-config FILE, its config.json, decides it")


def host_findings(
    context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape, catalog: Catalog, chart: str
) -> Iterator[Finding]:
    """E9297 or W9298: the memory of the node that pods can request, then that of the pod."""
    memory, group = value_at(values, MEMORY), _group_of(context, values)
    share = memory if isinstance(memory, int) and memory > 0 else inf
    host = host_with_share(_host(context, group, catalog), MEMORY, share * GIB)
    zone_ids = group.zone_ids if group is not None else ()
    found = host_problem(shape, context.chip, host, f"{MEMORY}={{}}", catalog, context.region, zone_ids)
    if found is not None:
        yield finding(found.id, chart, MEMORY, found.message, found.hint)


def _group_of(context: WorkloadContext, values: Mapping[str, Any]) -> NodeGroupPlan | None:
    """The group that the pods select; None where they select none."""
    groups = (context.group, context.cpu_group)
    return next((each for each in groups if each and each.name == value_at(values, "machine.nodeGroup")), None)


def _host(context: WorkloadContext, group: NodeGroupPlan | None, catalog: Catalog) -> HostMemory | None:
    """With the free memory of a node, without what DaemonSets request."""
    node = context.node if group is context.group else context.cpu_node
    row = catalog.instance_types.get(group.machine.instance_type) if group is not None else None
    host = host_of_type(row, catalog) if row is not None else None
    memory = node.allocatable.get("memory") if node is not None else None
    return host if host is None or memory is None else replace(host, free=memory)


def _served(context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape) -> ServedModel | None:
    keys = (TENSOR, "machine.neuronCores", DEVICES, LENGTH, REQUESTS)
    numbers = [value_at(values, key) for key in keys]
    if not all(isinstance(each, int) and each > 0 for each in numbers):
        return None
    tensor, cores, devices, length, requests = numbers
    return ServedModel(
        shape=shape,
        chip=context.chip,
        tensor=tensor,
        devices=devices,
        cores=cores,
        length=length,
        requests=requests,
        arguments=tuple(_extra_arguments(values)),
        cache_share=value_at(values, f"env.{CAP_VARIABLE}"),
        names=Names(tensor=TENSOR, devices=DEVICES, length=LENGTH, requests=REQUESTS),
    )


def _extra_arguments(values: Mapping[str, Any]) -> list[str]:
    given = value_at(values, "model.extraArgs")
    return [str(each) for each in given] if isinstance(given, list) else []

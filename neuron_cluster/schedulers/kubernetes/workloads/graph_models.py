"""Models whose graphs compile-cache-warmer compiles: whether cores can share them, and the host of the compiler load
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.context import WorkloadContext
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.model_fit import host_findings
from neuron_cluster.sizing.model_division import division_problems, groups_of_vllm
from neuron_cluster.sizing.model_shape import ModelShape, shape_of_row
from neuron_cluster.sizing.program_options import whole_option

TENSOR = "--tensor-parallel-size"
VLLM = "vllm"


def graph_findings(
    context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape | None, catalog: Catalog, chart: str
) -> Iterator[Finding]:
    """E9262, W9263, E9297 and W9298 for graphs of vLLM. ``shape`` is that of the user's file, for every graph."""
    graphs = value_at(values, "graphs") if context.front_end == VLLM else None
    if shape is not None and context.front_end != VLLM:
        yield from host_findings(context, values, shape, catalog, chart)
    for position, graph in enumerate(graphs if isinstance(graphs, list) else ()):
        if not isinstance(graph, Mapping) or graph.get("kind") != VLLM:
            continue
        row = catalog.models.served_as(str(graph.get("model")))
        of_graph = shape or (shape_of_row(row, catalog) if row is not None else None)
        if of_graph is None:
            continue
        args, place = graph.get("args"), f"graphs[{position}].args"
        arguments = [str(each) for each in args] if isinstance(args, list) else []
        tensor, cores = whole_option(arguments, TENSOR) or 1, max(context.machine["neuronCores"], 1)
        groups = groups_of_vllm(arguments)
        for each in division_problems(of_graph, VLLM, catalog, tensor=tensor, cores=cores, expert_groups=groups):
            hint = f"{each.hint(f'set {TENSOR} to')}, as the server has it"
            yield finding(each.id, chart, place, each.message, hint)
        yield from host_findings(context, values, of_graph, catalog, chart)

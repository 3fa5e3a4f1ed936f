"""Which workload runs on which node groups, and why not on the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import EFA, NEURON, NEURON_CORE
from local_kubernetes.model.scheduling.amounts import describe, measure
from local_kubernetes.model.scheduling.evaluation import GroupResult, SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.reasons import NOT_EVALUATED
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.table import Table

WIDE = 120
"""Terminal width from which the kind of a workload and its software have columns of their own."""

WIDE_COLUMNS: tuple[str, ...] = ("workload", "kind", "of", "requests", "runs on", "not on")
NARROW_COLUMNS = ("workload", "requests", "runs on", "not on")
NARROWEST_COLUMNS = ("workload", "runs on", "not on")
LONGEST_BESIDE_AMOUNTS = 30
"""Names up to this length leave 80 columns wide enough for the requests."""

BASIC = ("cpu", "memory")

SHORT_KINDS: Mapping[str, str] = {"DaemonSet": "ds", "Deployment": "deploy", "StatefulSet": "sts", "CronJob": "cj"}
"""kubectl's short names."""

NODE_COLUMNS: Mapping[str, str] = {
    "cpu": "CPUs",
    "memory": "GiB",
    "pods": "pods",
    NEURON: "devices",
    NEURON_CORE: "cores",
    EFA: "EFA",
}
NODES_NOTE = (
    "Free allocatable of one node, after the requests of its DaemonSets. ?: an estimate; -: none, or no source gives "
    "the number. devices, cores, EFA: aws.amazon.com/neuron, aws.amazon.com/neuroncore, vpc.amazonaws.com/efa. With "
    "the DRA driver, devices are claimed."
)
NOTE = (
    "!: required there, and not scheduled. [n]: reason, below. (n): pods that run at once at the maximum size. Not "
    f"evaluated: {', '.join(NOT_EVALUATED)}."
)


def nodes_table(plan: ClusterPlan, nodes: Sequence[NodeInfo]) -> Table:
    """Free allocatable of one node of each group."""
    groups = plan.node_groups
    types = {group.name: group.machine.instance_type for group in groups}
    rows = ((node.group, types[node.group], *(_amount(node, name) for name in NODE_COLUMNS)) for node in nodes)
    title = f"{plan.name}: free allocatable of a node"
    return Table(title, ("node group", "type", *NODE_COLUMNS.values()), tuple(rows), NODES_NOTE)


def result_tables(results: Sequence[SchedulingResult], title: str, width: int) -> list[Table]:
    """A row for each workload, then the numbered reasons. The columns depend on the ``width`` of the terminal."""
    numbers: dict[str, int] = {}
    rows = [_cells(result, numbers, is_wide=width >= WIDE) for result in results]
    chosen = WIDE_COLUMNS
    if width < WIDE:
        longest = max((len(row["workload"]) for row in rows), default=0)
        chosen = NARROW_COLUMNS if longest <= LONGEST_BESIDE_AMOUNTS else NARROWEST_COLUMNS
    tables = [Table(title, chosen, tuple(tuple(row[column] for column in chosen) for row in rows), NOTE)]
    if numbers:
        reasons = tuple((f"[{number}]", text) for text, number in numbers.items())
        tables.append(Table("Why not", ("", "reason"), reasons))
    return tables


def doubt_lines(results: Sequence[SchedulingResult]) -> list[str]:
    """Returns the doubts that no source resolves and that the results ignore, each with its groups."""
    about: dict[str, list[str]] = {}
    for result in results:
        for each in result.groups:
            for doubt in each.doubts if each.fits else ():
                groups = about.setdefault(doubt, [])
                if each.group not in groups:
                    groups.append(each.group)
    return [f"not known for {', '.join(groups)}: {doubt}" for doubt, groups in about.items()]


def schedule_as_data(results: Sequence[SchedulingResult], nodes: Sequence[NodeInfo]) -> dict[str, Any]:
    """Returns the document of ``--format json``: nodes with free allocatable, workloads with results by group."""
    return {
        "nodes": [
            {
                "group": node.group,
                "labels": dict(node.labels),
                "taints": [{"key": t.key, "value": t.value, "effect": t.effect} for t in node.taints],
                "free_allocatable": dict(node.allocatable),
                "claimable": dict(node.claimable),
                "doubts": dict(node.doubts),
            }
            for node in nodes
        ],
        "workloads": [
            {
                "workload": result.pod.workload,
                "software": result.pod.software,
                "requests": dict(result.pod.requests),
                "claims": [each.text for claim in result.pod.claims for each in claim.devices],
                "replicas": result.pod.replicas,
                "groups": [_as_data(each) for each in result.groups],
                "failures": [failure.message for failure in result.failures],
                "fails": result.fails,
            }
            for result in results
        ],
    }


def _as_data(result: GroupResult) -> dict[str, Any]:
    return {
        "group": result.group,
        "fits": result.fits,
        "required": result.is_required,
        "reasons": [each.message for each in result.reasons],
        "doubts": list(result.doubts),
        "at_max": result.at_max,
        "at_desired": result.at_desired,
    }


def _cells(result: SchedulingResult, numbers: dict[str, int], *, is_wide: bool) -> dict[str, str]:
    pod = result.pod
    kind, _, name = pod.workload.partition(" ")
    runs = [_with_count(each) for each in result.groups if each.fits]
    not_on = [_with_reasons(each, numbers) for each in result.groups if not each.fits]
    is_everywhere = pod.kind == "DaemonSet" and not not_on and len(runs) > 1
    return {
        "workload": name if is_wide else f"{SHORT_KINDS.get(kind, kind.lower())} {name.partition('/')[2] or name}",
        "kind": kind,
        "of": pod.software or "-",
        "requests": _requests(pod),
        "runs on": "every group" if is_everywhere else "\n".join(runs) or "nowhere",
        "not on": "\n".join(not_on) or "-",
    }


def _requests(pod: PodInfo) -> str:
    """``2 x 0.1 CPUs, 70 MiB``: CPU and memory, without names since columns are narrow, then devices."""
    order = (*BASIC, *(name for name in pod.requests if name not in (*BASIC, "pods")))
    each = ", ".join(
        measure(name, pod.requests[name]) if name in BASIC else describe(name, pod.requests[name])
        for name in order
        if name in pod.requests
    )
    each = ", ".join(filter(None, [each, *(devices.text for claim in pod.claims for devices in claim.devices)]))
    if pod.replicas in (None, 1):
        return each or "-"
    return f"{pod.replicas} x {each}" if each else f"{pod.replicas} pods"


def _with_count(result: GroupResult) -> str:
    if not result.has_limit:
        return f"{result.group} ({NO_LIMIT})"
    return result.group if result.at_max is None else f"{result.group} ({result.at_max})"


def _with_reasons(result: GroupResult, numbers: dict[str, int]) -> str:
    marks = (f"[{numbers.setdefault(each.message, len(numbers) + 1)}]" for each in result.reasons)
    return f"{'!' if result.is_required else ''}{result.group} {''.join(marks)}"


def _amount(node: NodeInfo, name: str) -> str:
    amount = node.allocatable.get(name)
    if amount is None and name == NEURON:
        amount = next(iter(node.claimable.values()), None)
    if amount is None:
        return "-"
    shown: Mapping[str, str] = {"cpu": f"{amount / 1000:.1f}", "memory": f"{amount / 1024**3:,.0f}"}
    return shown.get(name, f"{amount:,}") + (" ?" if name in node.doubts else "")


def not_evaluated(cluster: KubernetesPlan, catalog: Catalog) -> Iterator[str]:
    """A line for installed software whose pods the catalog does not record."""
    own = {chart.chart for chart in cluster.charts if chart.folder is not None}
    names = dict.fromkeys([addon.name for addon in cluster.addons] + [chart.chart for chart in cluster.charts])
    if found := [name for name in names if name not in own and not catalog.workload_shapes.of_software(name)]:
        yield f"not evaluated, because the catalog does not record its pods: {', '.join(found)}"

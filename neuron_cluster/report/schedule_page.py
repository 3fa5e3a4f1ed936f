"""Which workload runs on which node groups, and why not on the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kubernetes.names import EFA, NEURON, NEURON_CORE
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan
from neuron_cluster.schedule.amounts import in_words, measure
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.verdict import GroupResult, Verdict
from neuron_cluster.table import Table

WIDE = 120
"""From so many columns on, the kind of a workload and its software have columns of their own."""

WIDE_COLUMNS: tuple[str, ...] = ("workload", "kind", "of", "asks for", "runs on", "not on")
NARROW_COLUMNS = ("workload", "asks for", "runs on", "not on")
NARROWEST_COLUMNS = ("workload", "runs on", "not on")
LONGEST_BESIDE_AMOUNTS = 30
"""Names up to this length leave room for what the pods ask for in 80 columns."""

BASIC = ("cpu", "memory")

SHORT_KINDS: Mapping[str, str] = {"DaemonSet": "ds", "Deployment": "deploy", "StatefulSet": "sts", "CronJob": "cj"}
"""kubectl's short names."""

NODE_COLUMNS: Mapping[str, str] = {
    "cpu": "CPUs",
    "memory": "GiB",
    "pods": "pods",
    NEURON: "chips",
    NEURON_CORE: "cores",
    EFA: "EFA",
}
NODES_NOTE = (
    "Of one node, after what the DaemonSets take that run there. ?: an estimate; -: nothing, or no source says how "
    "much. chips, cores, EFA: aws.amazon.com/neuron, aws.amazon.com/neuroncore, vpc.amazonaws.com/efa. With the DRA "
    "driver chips are devices to claim."
)
NOTE = (
    "!: must run there and does not. [n]: why not, below. (n): so many at once at the largest size. Pod "
    "affinity, spread and volumes are not asked about."
)


def nodes_table(plan: ClusterPlan, left: Sequence[NodeShape]) -> Table:
    """What one node of each group has left for workloads."""
    groups = plan.eks.node_groups if plan.eks is not None else ()
    rows = (
        (group.name, group.machine.instance_type, *(_amount(node, name) for name in NODE_COLUMNS))
        for group, node in zip(groups, left, strict=True)
    )
    title = f"{plan.name}: room for workloads"
    return Table(title, ("node group", "type", *NODE_COLUMNS.values()), tuple(rows), NODES_NOTE)


def verdict_tables(verdicts: Sequence[Verdict], title: str, width: int) -> list[Table]:
    """A row for each workload, then the numbered reasons. The columns are those that ``width`` has room for."""
    numbers: dict[str, int] = {}
    rows = [_cells(verdict, numbers, is_wide=width >= WIDE) for verdict in verdicts]
    chosen = WIDE_COLUMNS
    if width < WIDE:
        longest = max((len(row["workload"]) for row in rows), default=0)
        chosen = NARROW_COLUMNS if longest <= LONGEST_BESIDE_AMOUNTS else NARROWEST_COLUMNS
    tables = [Table(title, chosen, tuple(tuple(row[column] for column in chosen) for row in rows), NOTE)]
    if numbers:
        reasons = tuple((f"[{number}]", words) for words, number in numbers.items())
        tables.append(Table("Why not", ("", "reason"), reasons))
    return tables


def doubt_lines(verdicts: Sequence[Verdict]) -> list[str]:
    """What the verdicts do not rest on, each with the groups that it is about."""
    about: dict[str, list[str]] = {}
    for verdict in verdicts:
        for each in verdict.groups:
            for doubt in each.doubts if each.fits else ():
                groups = about.setdefault(doubt, [])
                if each.group not in groups:
                    groups.append(each.group)
    return [f"not known for {', '.join(groups)}: {doubt}" for doubt, groups in about.items()]


def schedule_as_data(verdicts: Sequence[Verdict], left: Sequence[NodeShape]) -> dict[str, Any]:
    """For ``--format json``: nodes with labels, taints and what is left; workloads with a verdict for each group."""
    return {
        "nodes": [
            {
                "group": node.group,
                "labels": dict(node.labels),
                "taints": [{"key": t.key, "value": t.value, "effect": t.kubernetes_effect} for t in node.taints],
                "left": dict(node.allocatable),
                "claimable": dict(node.claimable),
                "doubts": dict(node.doubts),
            }
            for node in left
        ],
        "workloads": [
            {
                "workload": verdict.pod.workload,
                "software": verdict.pod.software,
                "requests": dict(verdict.pod.requests),
                "claims": [each.words for claim in verdict.pod.claims for each in claim.devices],
                "replicas": verdict.pod.replicas,
                "groups": [_as_data(each) for each in verdict.groups],
                "flaws": [flaw.words for flaw in verdict.flaws],
                "fails": verdict.fails,
            }
            for verdict in verdicts
        ],
    }


def _as_data(verdict: GroupResult) -> dict[str, Any]:
    return {
        "group": verdict.group,
        "fits": verdict.fits,
        "needed": verdict.is_needed,
        "reasons": [each.reason for each in verdict.misfits],
        "doubts": list(verdict.doubts),
        "at_most": verdict.at_most,
        "at_desired": verdict.at_desired,
    }


def _cells(verdict: Verdict, numbers: dict[str, int], *, is_wide: bool) -> dict[str, str]:
    pod = verdict.pod
    kind, _, name = pod.workload.partition(" ")
    runs = [_with_count(each) for each in verdict.groups if each.fits]
    not_on = [_with_reasons(each, numbers) for each in verdict.groups if not each.fits]
    is_everywhere = pod.kind == "DaemonSet" and not not_on and len(runs) > 1
    return {
        "workload": name if is_wide else f"{SHORT_KINDS.get(kind, kind.lower())} {name.partition('/')[2] or name}",
        "kind": kind,
        "of": pod.software or "-",
        "asks for": _asks(pod),
        "runs on": "every group" if is_everywhere else "\n".join(runs) or "nowhere",
        "not on": "\n".join(not_on) or "-",
    }


def _asks(pod: PodShape) -> str:
    """``2 x 0.1 CPUs, 70 MiB``: processors and memory, which a narrow column has no room to name, then devices."""
    order = (*BASIC, *(name for name in pod.requests if name not in (*BASIC, "pods")))
    each = ", ".join(
        measure(name, pod.requests[name]) if name in BASIC else in_words(name, pod.requests[name])
        for name in order
        if name in pod.requests
    )
    each = ", ".join(filter(None, [each, *(devices.words for claim in pod.claims for devices in claim.devices)]))
    if pod.replicas in (None, 1):
        return each or "-"
    return f"{pod.replicas} x {each}" if each else f"{pod.replicas} pods"


def _with_count(verdict: GroupResult) -> str:
    return verdict.group if verdict.at_most is None else f"{verdict.group} ({verdict.at_most})"


def _with_reasons(verdict: GroupResult, numbers: dict[str, int]) -> str:
    marks = (f"[{numbers.setdefault(each.reason, len(numbers) + 1)}]" for each in verdict.misfits)
    return f"{'!' if verdict.is_needed else ''}{verdict.group} {''.join(marks)}"


def _amount(node: NodeShape, name: str) -> str:
    amount = node.allocatable.get(name)
    if amount is None and name == NEURON:
        amount = next(iter(node.claimable.values()), None)
    if amount is None:
        return "-"
    words: Mapping[str, str] = {"cpu": f"{amount / 1000:.1f}", "memory": f"{amount / 1024**3:,.0f}"}
    return words.get(name, f"{amount:,}") + (" ?" if name in node.doubts else "")


def not_judged(eks: EksPlan, catalog: Catalog) -> Iterator[str]:
    """A line for what is installed and of whose pods nothing is recorded."""
    own = {chart.chart for chart in eks.charts if chart.folder is not None}
    names = dict.fromkeys([addon.name for addon in eks.addons] + [chart.chart for chart in eks.charts])
    if found := [name for name in names if name not in own and not catalog.workload_shapes_of(name)]:
        yield f"not judged, because the catalog has no shape of its pods: {', '.join(found)}"

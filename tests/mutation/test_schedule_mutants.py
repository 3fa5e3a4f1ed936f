"""Whatever lets a DaemonSet run where it must is missed when it is gone, and nothing else is.

For every shipped environment, the one with all software, and every DaemonSet that a node group needs: each toleration,
each label of a node and each instance type of an affinity is taken away in turn. What must be noticed is worked out
here, from the taints, labels and types alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from local_kubernetes.model.placement import Toleration
from local_kubernetes.model.scheduling.evaluation import evaluate_pods
from local_kubernetes.model.scheduling.free_allocatable import free_allocatable
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods

CATALOG = load_catalog()
PROJECT = Path(__file__).parents[2]
RICHEST = PROJECT / "benchmarks" / "software.yaml"
ENVIRONMENTS = [*sorted((PROJECT / "environments").glob("*.yaml")), RICHEST]
TYPE = "node.kubernetes.io/instance-type"
POSITIVE = ("In", "Exists", "Gt", "Lt")

Group = tuple[NodeGroupPlan, NodeInfo]
Mutant = tuple[str, PodInfo, list[NodeInfo], bool]
"""The removed part, pod and nodes without it, and whether the DaemonSet now misses a node that needs it."""


def needs(pod: PodInfo, group: NodeGroupPlan) -> bool:
    where = pod.required_on.nodes if pod.required_on is not None else ""
    return {"every": True, "neuron": group.machine.is_neuron, "efa": group.machine.efa_interfaces > 0}.get(where, False)


def opens(toleration: Toleration, taint: TaintPlan) -> bool:
    """Kubernetes' rule: no key is every key, no effect is every effect, Equal wants the value."""
    has_effect = toleration.effect is None or toleration.effect.upper() == taint.effect.replace("_", "")
    has_key = toleration.key is None or toleration.key == taint.key
    return has_effect and has_key and (toleration.operator == "Exists" or toleration.value == taint.value)


def without_tolerations(pod: PodInfo, groups: list[Group]) -> Iterator[Mutant]:
    hard = [t for group, _ in groups if needs(pod, group) for t in group.taints if t.effect != "PREFER_NO_SCHEDULE"]
    for position, taken in enumerate(pod.tolerations):
        rest = pod.tolerations[:position] + pod.tolerations[position + 1 :]
        is_missed = any(opens(taken, t) and not any(opens(other, t) for other in rest) for t in hard)
        yield "toleration", replace(pod, tolerations=rest), [node for _, node in groups], is_missed


def without_labels(pod: PodInfo, groups: list[Group]) -> Iterator[Mutant]:
    wanted = {*pod.node_selector, *(r.key for term in pod.affinity for r in term if r.operator in POSITIVE)}
    for group, node in groups:
        for key in node.labels:
            labels = {other: value for other, value in node.labels.items() if other != key}
            nodes = [replace(node, labels=labels) if other is node else other for _, other in groups]
            yield "label", pod, nodes, needs(pod, group) and key in wanted


def without_types(pod: PodInfo, groups: list[Group]) -> Iterator[Mutant]:
    needed = {group.machine.instance_type for group, _ in groups if needs(pod, group)}
    for which, term in enumerate(pod.affinity):
        for position, requirement in enumerate(term):
            for value in requirement.values if requirement.key == TYPE else ():
                fewer = replace(requirement, values=tuple(v for v in requirement.values if v != value))
                changed = (*term[:position], fewer, *term[position + 1 :])
                affinity = (*pod.affinity[:which], changed, *pod.affinity[which + 1 :])
                yield "instance type", replace(pod, affinity=affinity), [node for _, node in groups], value in needed


def is_noticed(pod: PodInfo, nodes: list[NodeInfo], eks: KubernetesPlan) -> bool:
    (result,) = evaluate_pods(free_allocatable(nodes, [pod]), [pod], has_auto_mode=eks.auto_mode)
    return result.fails


def test_each_removed_toleration_label_and_type_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    wrong: list[str] = []
    daemons = 0
    for environment in ENVIRONMENTS:
        plan = check_environment(environment).require_plan()
        if plan.kubernetes is None:
            continue
        groups = list(zip(plan.kubernetes.node_groups, kubernetes_nodes(plan, CATALOG), strict=True))
        for pod in recorded_pods(plan, CATALOG):
            if not any(needs(pod, group) for group, _ in groups):
                continue
            daemons += 1
            assert not is_noticed(pod, [node for _, node in groups], plan.kubernetes), (
                f"{environment.stem}: {pod.workload}"
            )
            for mutants in (without_tolerations, without_labels, without_types):
                for what, mutant, nodes, is_missed in mutants(pod, groups):
                    counts[what, is_missed] += 1
                    if is_noticed(mutant, nodes, plan.kubernetes) is not is_missed:
                        wrong.append(f"{environment.stem}: {pod.workload} without a {what} (missed: {is_missed})")
    with capsys.disabled():
        sys.stdout.write(f"\n{daemons} needed DaemonSets in {len(ENVIRONMENTS)} environments")
        for (what, is_missed), count in sorted(counts.items()):
            says = "noticed each time" if is_missed else "not needed, changed nothing"
            sys.stdout.write(f"\n{what} taken away: {count}, {says}")
        sys.stdout.write("\n")
    assert wrong == []
    assert all(counts[what, True] and counts[what, False] for what in ("toleration", "label", "instance type"))

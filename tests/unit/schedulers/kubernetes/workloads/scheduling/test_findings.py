"""Findings about rendered workloads."""

from __future__ import annotations

from scheduling_examples import pod

from local_kubernetes.model.names import NEURON
from local_kubernetes.model.scheduling.evaluation import GroupResult, SchedulingResult
from local_kubernetes.model.scheduling.pod import RequiredNodes
from local_kubernetes.model.scheduling.reasons import UnschedulableReason
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.finding_specs import ROWS
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.findings import findings_of_results

NEED = RequiredNodes("every", without="it is useless")


def result(kind: str, *reasons: UnschedulableReason, is_required: bool = False) -> SchedulingResult:
    on = GroupResult("trn1", reasons, (), is_required)
    return SchedulingResult(pod(kind, required_on=NEED if is_required else None), (on,), has_auto_mode=False)


def test_each_kind_of_mistake_has_its_id_its_place_and_a_hint() -> None:
    sure = UnschedulableReason("no", "labels", "affinity", "write another")
    unsure = UnschedulableReason("no", "labels", "selector", "leave it out", "an estimate")
    evaluated = [
        ("a.yaml", result("DaemonSet", sure, is_required=True)),
        ("b.yaml", result("Deployment", sure)),
        ("c.yaml", result("Deployment", unsure)),
        ("d.yaml", result("Deployment")),
    ]
    found = list(findings_of_results(evaluated))
    assert [(each.id, each.location.file) for each in found] == [
        ("E9301", "a.yaml"), ("E9302", "b.yaml"), ("W9303", "c.yaml"),
    ]  # fmt: skip
    assert all(each.hint and each.id in ROWS for each in found)


def test_the_hint_is_about_the_group_that_lacks_least_and_needs_no_other_machines() -> None:
    """Where one group has other machines and the other wants a toleration, a smaller pod is no way out."""
    small, tainted = (
        UnschedulableReason("no", "instance_type", "amount", "ask for less"),
        UnschedulableReason("no", "taints", "toleration", "add it"),
    )
    groups = (
        GroupResult("system", (small,), (), is_required=False),
        GroupResult("trn1", (tainted,), (), is_required=False),
    )
    with_devices, without = pod("Job", requests={NEURON: 16}), pod("Job")
    for asking, hint, first, last in (
        (with_devices, "for trn1: add it", "trn1", "system"),
        (without, "for system: ask for less", "system", "trn1"),
    ):
        (found,) = findings_of_results([("a.yaml", SchedulingResult(asking, groups, has_auto_mode=False))])
        assert found.hint == hint
        assert found.message.index(first) < found.message.index(last)
